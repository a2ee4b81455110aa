#include <pthread.h>

/* An operator that computes in a thread of its own, as frameworks do. */
struct work {
    const float *data;
    long index;
    float result;
};

static void *compute(void *argument) {
    struct work *work = argument;
    work->result = work->data[work->index];
    return 0;
}

float run(const float *data, long index) {
    struct work work = {data, index, 0};
    pthread_t thread;
    pthread_create(&thread, 0, compute, &work);
    pthread_join(thread, 0);
    return work.result;
}
