/* expect: failed-check|out-of-bounds|stack-smashed strong
   not: heap-corruption invalid-free
   ends: SIGABRT
   build: -O2 -D_FORTIFY_SOURCE=2
   says: (?i)buffer overflow detected
   says: set_host

   strcpy with a known destination size notices *before* it writes too far:
   "buffer overflow detected" is a check, nothing is smashed yet. */
#include <string.h>

static struct { char host[16]; int port; } peer;

__attribute__((noipa)) static int set_host(const char *host) {
    strcpy(peer.host, host);
    return peer.port;
}

int main(void) { return set_host("a.very.long.host.name.example.org"); }
