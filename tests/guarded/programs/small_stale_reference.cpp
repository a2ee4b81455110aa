/* expect: use-after-free proven
   block: 384 add_meter
   ends: exit 0

   A reference into a vector is kept while the vector grows. A thousand other
   blocks later it is written through: into somebody else's memory by then. */
#include <cstdio>
#include <string>
#include <vector>

struct Meter { double total, squares; long count; };
static std::vector<Meter> meters;

static size_t add_meter() {
    meters.push_back({0, 0, 0});
    return meters.size() - 1;
}

int main() {
    for (int i = 0; i < 16; i++) add_meter();
    Meter &loss = meters[0];
    add_meter();
    std::vector<std::string> names;
    names.reserve(1000);
    for (int i = 0; i < 1000; i++)
        names.push_back(std::string(300 + i % 100, 'a'));
#ifdef REPAIRED
    meters[0].total += 2.5;
#else
    loss.total += 2.5;
#endif
    printf("%zu names, %g\n", names.size(), meters[0].total);
    return 0;
}
