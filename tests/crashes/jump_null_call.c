/* expect: bad-jump strong
   looks-like: null-pointer
   not: wild-pointer
   ends: SIGSEGV
   says: dispatch

   A call through a null function pointer: the instruction pointer is 0, an
   unwinder has one frame, and the caller is only in the word at the stack
   pointer. */
typedef int (*Action)(int);
static Action actions[4];

static int dispatch(int kind) { return actions[kind](kind) + 1; }

int main(void) { return dispatch(2); }
