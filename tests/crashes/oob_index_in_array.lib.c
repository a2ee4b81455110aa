struct row { float values[6]; };

__attribute__((noipa)) static struct row row_at(const struct row *row, long unused) {
    (void)unused;
    return *row;
}
void embed(const struct row *table, const long *ids, long count, struct row *out) {
    for (long i = 0; i < count; i++) out[i] = row_at(&table[ids[i]], 0);
}
