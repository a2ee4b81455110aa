/* expect: uncaught-cpp-exception strong
   ends: exit 1
   says: shard 2 is empty

   A hand-made pool: one of four forked workers ends by an exception, the parent
   reports failure with a plain 1 and no word. */
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

static void work(int shard) {
    if (shard == 2)
        throw std::runtime_error("shard " + std::to_string(shard)
                                 + " is empty");
}

int main() {
    for (int shard = 0; shard < 4; shard++)
        if (fork() == 0) {
            work(shard);
            _exit(0);
        }
    int failed = 0, status;
    while (wait(&status) > 0) failed |= status != 0;
    return failed;
}
