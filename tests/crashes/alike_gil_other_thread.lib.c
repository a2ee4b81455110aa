#include <pthread.h>
struct Frame { int width, height; };
__attribute__((noipa)) static int decode(const struct Frame *frame) {
    return frame->width * frame->height;
}
static void *work(void *frame) { return decode(frame) ? frame : 0; }
void start(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
}
