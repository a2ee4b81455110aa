#include <pthread.h>
extern void *PyExc_RuntimeWarning;
extern void PyErr_SetString(void *type, const char *text);

__attribute__((noipa)) static int report_progress(int step) {
    PyErr_SetString(PyExc_RuntimeWarning, "half way");
    return step + 1;
}
static void *work(void *unused) { return report_progress(1) ? unused : 0; }
void start_and_wait(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
}
