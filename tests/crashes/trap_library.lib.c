static int threads;
void set_threads(int count) {
    if (count < 0) __builtin_trap();
    threads = count;
}
