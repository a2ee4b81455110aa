extern "C" unsigned long bucket_of(unsigned long hash, unsigned long buckets) {
    return hash % buckets;
}
