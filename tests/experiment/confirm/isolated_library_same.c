// confirm: isolated-library refuted
// libraries: own/shape other/shape
// library path: other
long rows(void);

int main(void) { return (int)*(volatile long*)rows(); }
