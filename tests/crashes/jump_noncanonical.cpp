/* expect: bad-jump|wild-pointer strong
   looks-like: null-pointer
   ends: SIGSEGV
   says: fire

   The function pointer is text: the call itself faults with SI_KERNEL and
   address 0, the instruction pointer still stands in good code. */
#include <cstring>

struct Button { char label[8]; int (*clicked)(int); };

__attribute__((noipa)) int fire(const Button &button) {
    return button.clicked(1) + 1;
}

int main() {
    Button button{"ok", nullptr};
    std::memcpy(button.label, "Cancel and close", 16);
    return fire(button);
}
