void blur(float *image, long rows, long columns) {
#ifdef REPAIRED
    for (long row = 0; row < rows; row++)
#else
    for (long row = 0; row <= rows; row++)
#endif
        for (long column = 0; column < columns; column++) {
            long here = row * columns + column;
            image[here] = 0.5f * image[here] + 0.25f;
        }
}
