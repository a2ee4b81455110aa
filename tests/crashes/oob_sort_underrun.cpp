/* expect: out-of-bounds plausible
   looks-like: wild-pointer
   not: null-pointer wild-pointer
   ends: SIGSEGV
   build: -O2
   says: before the start

   The comparison says "before" of equal records, which std::sort does not
   stand: it walks down over the start of the records, in steps that are larger
   than what it reads of each, until the memory ends. */
#include <algorithm>
#include <vector>

#include <sys/mman.h>

struct Record {
    float other[10];
    float score;
};

int main() {
    const long page = 4096;
    char *area = static_cast<char *>(mmap(nullptr, 64 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    munmap(area, 32 * page);
    mprotect(area + 32 * page, 16 * page, PROT_READ | PROT_WRITE);
    auto *records = reinterpret_cast<Record *>(area + 32 * page);
    for (int i = 0; i < 1000; i++) records[i].score = 0.5f;
    std::sort(records, records + 1000, [](const Record &a, const Record &b) { return a.score >= b.score; });
    return records[0].score > 1;
}
