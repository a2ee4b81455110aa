/* expect: use-after-free proven
   block: 98304 load
   ends: exit 0

   A cache evicts the frame that a viewer still points to; 1,000 allocations
   later the viewer draws into memory that is somebody else's. */
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

struct Frame {
    std::unique_ptr<unsigned char[]> pixels;
};

static Frame load(int number) {
    Frame frame{std::make_unique<unsigned char[]>(98304)};
    frame.pixels[0] = number;
    return frame;
}

int main() {
    std::deque<Frame> cache;
    for (int i = 0; i < 8; i++) cache.push_back(load(i));
    unsigned char *viewer = cache.front().pixels.get();
    cache.pop_front();
    std::vector<std::vector<int>> batches;
    for (int i = 0; i < 1000; i++) batches.emplace_back(1000 + i % 7, i);
#ifdef REPAIRED
    viewer = cache.front().pixels.get();
#endif
    viewer[100] = 255;
    printf("%zu batches\n", batches.size());
    return 0;
}
