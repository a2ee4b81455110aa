#include <pthread.h>
extern int PyList_Append(void *list, void *item);
extern int PyGILState_Ensure(void);
extern void PyGILState_Release(int state);
extern void *PyList_New(long size);

__attribute__((noipa)) static void add(void *list) { PyList_Append(list, list); }
static void *work(void *list) {
    int state = PyGILState_Ensure();
    add(list);
    PyGILState_Release(state);
    return list;
}
void collect(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
}
