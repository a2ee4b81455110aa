/* expect: null-pointer strong
   looks-like: wild-pointer out-of-bounds
   ends: SIGSEGV
   build: -O2

   Null plus 40 times a negative index: the address is 0xffffffee80000000 and
   looks like the kernel's, while the base register is plainly zero. */
#include <cstdio>

struct Box { char bytes[40]; };

__attribute__((noinline)) char pick(const Box *boxes, long index) {
    return boxes[index].bytes[0];
}

int main(int argc, char **) {
    const Box *boxes = nullptr;
    std::printf("%d\n", pick(boxes, -1879048192L * argc));
}
