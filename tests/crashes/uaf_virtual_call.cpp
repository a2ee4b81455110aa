/* expect: use-after-free strong
   looks-like: wild-pointer
   not: null-pointer bad-jump
   ends: SIGSEGV
   build: -O2
   says: release

   An object is deleted twice by two owners: the second looks up the destructor
   in a vtable pointer that malloc has replaced by the end of its free list. */
struct Resource {
    virtual ~Resource() {}
    virtual void release() = 0;
    long state[6];
};
struct Table : Resource {
    void release() override { state[0] = 1; }
};

__attribute__((noipa)) static Resource *make() { return new Table; }
__attribute__((noipa)) static void destroy(Resource *r) { delete r; }
__attribute__((noipa)) static void release(Resource *r) { r->release(); }

int main() {
    Resource *table = make();
    destroy(table);
    release(table);
    return 0;
}
