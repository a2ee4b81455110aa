/* expect: use-after-free plausible
   not: null-pointer out-of-bounds
   looks-like: bad-jump
   ends: SIGSEGV
   build: -O1
   says: notify

   A virtual call on a deleted object: where its table pointer was, there is now
   the allocator's link. */
#include <cstdio>

struct Listener {
    virtual ~Listener() = default;
    virtual int changed(int value) { return value + count++; }
    int count = 0;
};

__attribute__((noipa)) int notify(Listener *listener, int value) {
    return listener->changed(value);
}

int main() {
    auto *listener = new Listener;
    std::printf("%d\n", notify(listener, 1));
    delete listener;
    std::printf("%d\n", notify(listener, 2));
}
