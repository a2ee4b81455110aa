/* expect: invalid-free strong
   not: heap-corruption use-after-free
   looks-like: heap-corruption
   ends: SIGABRT
   build: -O2
   says: middle of a block

   A row of a table is deleted by the one who got it. The data in front of the
   row is taken for the block's size, so that glibc speaks of "double free or
   corruption (out)". */
#include <vector>

struct Row {
    double values[20];
};

__attribute__((noipa)) static Row *row_of(std::vector<Row> &table, int index) { return &table[index]; }

__attribute__((noipa)) static double best(std::vector<Row> &table) {
    Row *row = row_of(table, 7);
    const double value = row->values[0];
    delete row;
    return value;
}

int main() {
    std::vector<Row> table(50);
    for (auto &row : table)
        for (auto &value : row.values) value = 1.0;
    return best(table) == 0;
}
