/* expect: null-pointer strong
   ends: exit 139
   says: child_work

   What a shell does: the child dies of SIGSEGV, the parent turns that into exit
   139. The cause is the child's. */
#include <sys/wait.h>
#include <unistd.h>

static int child_work(const int *input) { return input[2]; }

int main(void) {
    int status;
    if (fork() == 0) _exit(child_work(0));
    wait(&status);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
