/* expect: null-pointer strong
   looks-like: wild-pointer
   ends: SIGSEGV
   build: -O2

   An intrusive list: the holder of a null hook lies 48 bytes before it, so the
   read goes to 0xffffffffffffffd0. Small negative addresses are null too. */
#include <cstddef>
#include <cstdio>

struct Hook { Hook *next; };
struct Task { long id; char name[40]; Hook hook; };
static_assert(offsetof(Task, hook) == 48);

__attribute__((noinline)) Task *task_of(Hook *hook) {
    return reinterpret_cast<Task *>(reinterpret_cast<char *>(hook) - 48);
}

__attribute__((noinline)) long next_id(const Task &task) {
    return task_of(task.hook.next)->id;
}

int main() {
    Task last{7, "last", {nullptr}};
    std::printf("%ld\n", next_id(last));
}
