typedef int (*Visit)(void *context);
int walk(Visit visit, void *context, int depth) {
    volatile int before = depth;
    return visit(context) + before;
}
