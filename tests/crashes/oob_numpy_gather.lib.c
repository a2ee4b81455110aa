float gather(const float *table, long index) { return table[index]; }
