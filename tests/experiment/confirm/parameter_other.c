// confirm: parameter refuted
// arguments: --batch=512
// options: --param batch=64
int main(void) { return *(volatile int*)0x123456000l; }
