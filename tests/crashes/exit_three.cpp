/* expect: none
   looks-like: failed-check
   ends: exit 3

   Exit 3 after a word of its own: the program has said what it had to. */
#include <iostream>

int main() {
    std::cerr << "usage: exit_three FILE\n";
    return 3;
}
