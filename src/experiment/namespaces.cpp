#include "experiment/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/owned_fd.h"

namespace sigwhy::experiment {

namespace {

bool put(const char* file, const std::string& text) {
  const OwnedFd fd(::open(file, O_WRONLY | O_CLOEXEC));
  return fd && ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// A setting of the kernel; -1: it has none of that name.
long setting(const char* file) {
  const OwnedFd fd(::open(file, O_RDONLY | O_CLOEXEC));
  char text[32] = "";
  if (!fd || ::read(fd.get(), text, sizeof text - 1) <= 0) return -1;
  return strtol(text, nullptr, 10);
}

}  // namespace

int Namespaces::clone_flags() const {
  return (user ? CLONE_NEWUSER : 0) | (mount ? CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS : 0) | (pid ? CLONE_NEWPID : 0) |
         (network ? CLONE_NEWNET : 0);
}

std::vector<Namespaces> namespaces_to_try(bool network_off) {
  std::vector<Namespaces> list;
  for (const bool user : {false, true}) {
    if (!user && ::geteuid() != 0) continue;
    for (const bool pid : {true, false}) list.push_back({.user = user, .pid = pid, .network = network_off});
  }
  return list;
}

Result<void> map_own_user(unsigned user, unsigned group) {
  const auto same = [](unsigned id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
  (void)put("/proc/self/setgroups", "deny");
  if (put("/proc/self/uid_map", same(user)) && put("/proc/self/gid_map", same(group))) return {};
  return std::unexpected(errno_error("cannot set up a user namespace", errno));
}

// What no namespace holds: root in the layer could set the machine's clock or load a module all the same. It takes
// effect at the next exec.
void give_up_the_machine() {
  for (const int capability : {CAP_SYS_TIME, CAP_SYS_MODULE, CAP_SYS_BOOT, CAP_SYS_RAWIO, CAP_WAKE_ALARM, CAP_SYSLOG,
                               CAP_AUDIT_CONTROL, CAP_AUDIT_WRITE, CAP_MKNOD, CAP_LINUX_IMMUTABLE, CAP_SYS_PACCT})
    (void)::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
}

void bring_loopback_up() {
  const OwnedFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  strcpy(request.ifr_name, "lo");
  if (!socket || ::ioctl(socket.get(), SIOCGIFFLAGS, &request) != 0) return;
  request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP);
  (void)::ioctl(socket.get(), SIOCSIFFLAGS, &request);
}

Error why_refused(const Namespaces& wanted, int error) {
  const std::string what = "no throw-away layer here";
  if (!wanted.user && error == EPERM)
    return {what, "this root may not make namespaces (a container without CAP_SYS_ADMIN)", "give it --cap-add SYS_ADMIN"};
  if (setting("/proc/sys/user/max_user_namespaces") == 0 || error == ENOSPC)
    return {what, "user namespaces are used up or switched off (user.max_user_namespaces)",
            "sysctl user.max_user_namespaces=10000, or run as root"};
  if (setting("/proc/sys/kernel/unprivileged_userns_clone") == 0)
    return {what, "user namespaces are for root alone here (kernel.unprivileged_userns_clone is 0)",
            "sysctl kernel.unprivileged_userns_clone=1, or run as root"};
  if (setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1)
    return {what, "AppArmor refuses user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1)",
            "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or run as root"};
  if (error == EPERM || error == ENOSYS)
    return {what, std::string("this container refuses namespaces: ") + strerror(error),
            "run outside of it, or give the container --security-opt seccomp=unconfined"};
  return {what, std::string("clone: ") + strerror(error), ""};
}

}  // namespace sigwhy::experiment
