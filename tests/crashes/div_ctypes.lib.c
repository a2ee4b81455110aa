int windows(int size, int kernel, int stride) {
    return (size - kernel) / stride + 1;
}
