/* expect: bit-flip|wild-pointer|unknown weak
   at-most: strong
   looks-like: null-pointer
   not: use-after-free out-of-bounds
   ends: SIGSEGV
   says: price_of

   Bit 52 of a virtual table pointer flips: not canonical, and one bit away from
   the table of the object's own class. */
#include <cstdint>

struct Item {
    virtual ~Item() = default;
    virtual int price() const { return 3; }
};
struct Book : Item {
    int price() const override { return 12; }
};

__attribute__((noipa)) int price_of(const Item *item) { return item->price(); }

int main() {
    Item *shelf[8];
    for (auto &item : shelf) item = new Book;
    auto *word = reinterpret_cast<std::uintptr_t *>(shelf[5]);
    *word ^= 1UL << 52;
    int total = 0;
    for (auto *item : shelf) total += price_of(item);
    return total;
}
