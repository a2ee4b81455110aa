void blur(unsigned char *image, long rows, long columns) {
    for (long i = 0; i < rows * columns; i++) image[i] = image[i] / 2 + 127;
}
