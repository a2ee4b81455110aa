/* expect: stack-overflow strong
   not: null-pointer wild-pointer
   ends: SIGSEGV
   lib-build: -O2 -g0
   says: walk

   A library recurses into the program's callback and back: the repeating
   frames belong to two modules. */
typedef int (*Visit)(void *context);
int walk(Visit visit, void *context, int depth);

static int visit(void *context) { return walk(visit, context, 1) + 1; }

int main(void) { return walk(visit, 0, 0); }
