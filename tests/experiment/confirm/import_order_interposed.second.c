static long table[4];
long rows(void) { return (long)table; }
long use(void) { return *(volatile long*)rows(); }
