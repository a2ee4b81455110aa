long rows(void) { return 0x123456000l; }
