long join(char *to, const char *word, long times, long word_bytes) {
    long used = 0;
    for (long i = 0; i < times; i++)
        for (long j = 0; j < word_bytes; j++) to[used++] = word[j];
    to[used] = '\0';
    return used;
}
