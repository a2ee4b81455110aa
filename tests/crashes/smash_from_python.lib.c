int tokenise(const char *text) {
    volatile char word[24];
    int length = 0;
    while (text[length]) {
        word[length] = text[length];
        length++;
    }
    return word[0] + length;
}
