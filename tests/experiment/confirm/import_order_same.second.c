long rows(void) { return 0x123456000l; }
long use(void) { return *(volatile long*)rows(); }
