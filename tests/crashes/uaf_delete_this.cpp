/* expect: use-after-free strong
   not: null-pointer out-of-bounds
   ends: SIGSEGV
   build: -O0
   says: fire

   A hook deletes itself when it is called, and is called once more: what was its
   table of functions is the end of malloc's list of freed blocks. */
#include <vector>

struct Hook {
    virtual ~Hook() {}
    virtual int on_step(int step) { return step; }
    char state[120];
};

struct Once : Hook {
    int on_step(int step) override {
        delete this;
        return step;
    }
};

static int fire(const std::vector<Hook*>& hooks, int steps) {
    int sum = 0;
    for (int step = 0; step < steps; ++step)
        for (Hook* hook : hooks) sum += hook->on_step(step);
    return sum;
}

int main() { return fire({new Hook, new Once}, 3); }
