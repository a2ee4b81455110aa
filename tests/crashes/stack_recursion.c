/* expect: stack-overflow strong
   not: null-pointer wild-pointer out-of-bounds
   ends: SIGSEGV
   says: depth_of
   says: [0-9],?[0-9]{3}

   Endless recursion in the main thread: the fault is a push or a call just
   below the stack; the repeating frame is named and counted. */
static int parent_of[4] = {1, 2, 3, 1};

static int depth_of(int node) {
    if (node < 0) return 0;
    return 1 + depth_of(parent_of[node]);
}

int main(void) { return depth_of(0); }
