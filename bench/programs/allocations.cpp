// Many small and some middling blocks, made and freed out of order: words, rows
// and a tree of both.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

int main(int, char **argv) {
    const int rounds = 60 * std::atoi(argv[1]);
    unsigned state = 1;
    size_t bytes = 0;
    for (int round = 0; round < rounds; round++) {
        std::map<std::string, std::vector<int>> index;
        for (int i = 0; i < 100000; i++) {
            state = state * 1664525u + 1013904223u;
            std::string word(8 + state % 40, 'a' + state % 26);
            word += std::to_string(state % 20011);
            index[word].push_back(i);
            if (index.size() > 5000) index.erase(index.begin());
        }
        for (const auto &[word, rows] : index) bytes += word.size() + rows.size();
    }
    std::printf("%zu\n", bytes);
}
