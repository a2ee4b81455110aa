/* expect: invalid-free proven
   block: 48 open_batch
   ends: SIGABRT

   The error path frees the batch, and so does its caller. */
#include <stdio.h>
#include <stdlib.h>

struct Batch { long rows, columns; float *data; long spare[3]; };

static struct Batch *open_batch(long rows) {
    struct Batch *batch = calloc(1, sizeof *batch);
    batch->rows = rows;
    return batch;
}

static int fill(struct Batch *batch) {
    if (batch->rows > 100) {
#ifndef REPAIRED
        free(batch);
#endif
        return -1;
    }
    return 0;
}

int main(void) {
    struct Batch *batch = open_batch(128);
    if (fill(batch) < 0) fprintf(stderr, "too many rows\n");
    free(batch);
    return 0;
}
