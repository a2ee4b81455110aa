/* expect: null-pointer strong
   not: wild-pointer use-after-free
   looks-like: bad-jump
   ends: SIGSEGV
   build: -O2
   says: render

   A virtual call on a null object: the instruction before the call, the load
   of the table, faults. */
#include <cstdio>
#include <map>
#include <string>

struct Widget {
    virtual ~Widget() = default;
    virtual int draw() { return 1; }
};

std::map<std::string, Widget *> widgets;

__attribute__((noinline)) int render(const std::string &name) {
    return widgets[name]->draw() + 1;
}

int main() {
    Widget clock;
    widgets["clock"] = &clock;
    std::printf("%d\n", render("clock"));
    std::printf("%d\n", render("clokc"));
}
