/* expect: out-of-bounds strong
   not: null-pointer write-to-read-only
   ends: SIGSEGV
   build: -O2
   says: set_label

   vector::operator[] with INT_MAX writes 8 GiB behind a live block, in a
   second thread. */
#include <climits>
#include <thread>
#include <vector>

__attribute__((noipa)) void set_label(std::vector<int> &labels, int index) {
    labels[index] = 1;
}

int main() {
    std::vector<int> labels(64);
    std::thread worker([&] { set_label(labels, INT_MAX); });
    worker.join();
    return labels[0];
}
