// confirm: parameter confirmed
// fix: tested
// arguments: --batch 512
// options: --param batch=64
#include <stdlib.h>

static long rows[64];

int main(int count, char** words) {
  const long batch = count > 2 ? atol(words[2]) : 0;
  volatile long* past = batch > 64 ? (volatile long*)0x123456000l : rows;
  return (int)past[batch > 64 ? batch : 0];
}
