// confirm: same-again confirmed
int main(void) { return *(volatile int*)0x123456000l; }
