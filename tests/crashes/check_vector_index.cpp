/* expect: failed-check|out-of-bounds strong
   not: uncaught-cpp-exception heap-corruption
   ends: SIGABRT
   build: -O2 -D_GLIBCXX_ASSERTIONS
   says: score_of

   libstdc++ checks the index of operator[] when asked to and aborts with its
   own text, which goes to stderr in pieces and stays nowhere in memory. */
#include <vector>

__attribute__((noipa)) int score_of(const std::vector<int> &scores,
                                    unsigned long player) {
    return scores[player];
}

int main() {
    std::vector<int> scores(4);
    return score_of(scores, 9);
}
