/* expect: failed-check strong
   looks-like: uncaught-cpp-exception
   not: bad-jump null-pointer
   ends: SIGABRT
   says: (?i)pure virtual

   A virtual call from the base class's constructor. The runtime prints "pure
   virtual method called" and "terminate called without an active exception":
   there is no exception. */
struct Stage {
    Stage() { setup(); }
    virtual ~Stage() = default;
    void setup() { configure(); }
    virtual void configure() = 0;
};
struct Render : Stage {
    void configure() override {}
};

int main() { Render render; }
