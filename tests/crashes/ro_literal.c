/* expect: write-to-read-only strong
   not: null-pointer out-of-bounds wild-pointer
   ends: SIGSEGV
   says: capitalise

   A string literal is changed in place. */
static char *capitalise(char *word) {
    word[0] -= 32;
    return word;
}

int main(void) {
    char *word = "literal";
    return capitalise(word)[0];
}
