// confirm: isolated-library confirmed mixed-libraries strong
// fix: tested
// libraries: own/shape other/shape
// library path: other
long rows(void);

int main(void) { return (int)*(volatile long*)rows(); }
