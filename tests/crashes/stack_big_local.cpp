/* expect: stack-overflow strong
   not: null-pointer wild-pointer out-of-bounds
   ends: SIGSEGV
   says: render_frame

   A 4K picture as a local variable, two frames deep: the very first access of
   the function faults. */
#include <cstring>

struct Picture { unsigned char pixels[3840 * 2160 * 4]; };

int render_frame(int shade) {
    Picture picture;
    std::memset(picture.pixels, shade, 100);
    return picture.pixels[50];
}

int main() { return render_frame(7); }
