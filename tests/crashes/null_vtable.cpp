/* expect: null-pointer strong
   looks-like: bad-jump
   ends: SIGSEGV

   An object was cleared with memset, its table of virtual functions too. The
   call reads slot 2 of a table at null: a bad read, not yet a jump. */
#include <cstdio>
#include <cstring>

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const { return 0; }
    double side = 2;
};
struct Square : Shape {
    double area() const override { return side * side; }
};

__attribute__((noinline)) double area_of(const Shape *shape) {
    return shape->area();
}

int main() {
    Square square;
    std::printf("%f\n", area_of(&square));
    std::memset(static_cast<void *>(&square), 0, sizeof square);
    std::printf("%f\n", area_of(&square));
}
