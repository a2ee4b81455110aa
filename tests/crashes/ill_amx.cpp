/* expect: unsupported-instruction strong
   not: deliberate-trap bad-jump
   ends: SIGILL
   build: -O2
   needs: cpu-without:amx_tile
   says: (?i)amx

   A matrix kernel for AMX (tdpbssd) is chosen without asking the CPU, in a
   second thread of an optimised program. */
#include <thread>

__attribute__((noipa)) void multiply_tiles() {
    __asm__ volatile(".byte 0xc4, 0xe2, 0x6b, 0x5e, 0xc1");
}

int main() { std::thread(multiply_tiles).join(); }
