/* expect: failed-check|unknown weak
   looks-like: uncaught-cpp-exception
   ends: SIGABRT
   says: shut_down

   std::terminate() is called outright: "terminate called without an active
   exception". */
#include <exception>

void shut_down(bool clean) {
    if (!clean) std::terminate();
}

int main() { shut_down(false); }
