// Starts and ends: what is left of a run when the program does nothing.
int main(void) { return 0; }
