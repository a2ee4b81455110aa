/* expect: division-by-zero strong
   ends: exit 136
   says: per_item

   A real shell in between: the program becomes `sh -c "program child; exit $?"`
   and the deadly division is in the grandchild. */
#include <stdio.h>
#include <unistd.h>

static int per_item(int cost, int items) { return cost / items; }

int main(int argc, char **argv) {
    if (argc > 1) return per_item(100, 0);
    char self[4096] = {0}, script[5000];
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return 1;
    snprintf(script, sizeof script, "'%s' child; exit $?", self);
    execl("/bin/sh", "sh", "-c", script, (char *)0);
    return 1;
}
