// forbid NAME[,NAME...] COMMAND...: runs the command with a seccomp filter
// that answers EPERM to the named system calls, as containers do.

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct { const char *name; long number; } CALLS[] = {
    {"ptrace", SYS_ptrace},
    {"process_vm_readv", SYS_process_vm_readv},
    {"kexec_load", SYS_kexec_load},
    {"memfd_create", SYS_memfd_create},
    {"pidfd_open", SYS_pidfd_open},
    {"mlock", SYS_mlock},
    {"mlock2", SYS_mlock2},
    {"prctl", SYS_prctl},
};

static int forbid(long number) {
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  // By the seccomp call, so that prctl itself can be among the forbidden.
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

int main(int argc, char **argv) {
  if (argc < 3) return 125;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 124;
  for (char *name = strtok(argv[1], ","); name; name = strtok(NULL, ",")) {
    size_t i = 0, count = sizeof CALLS / sizeof *CALLS;
    while (i < count && strcmp(CALLS[i].name, name)) i++;
    if (i == count || forbid(CALLS[i].number)) {
      perror(name);
      return 123;
    }
  }
  execvp(argv[2], argv + 2);
  perror(argv[2]);
  return 122;
}
