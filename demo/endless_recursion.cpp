// A model whose layers are linked to each other by mistake: asking for the size of the network never ends.
//
//   sigwhy demo endless_recursion
#include <cstdio>
#include <memory>
#include <vector>

namespace {

struct Layer {
  std::size_t weights = 0;
  std::vector<const Layer*> inputs;
};

[[gnu::noinline]] std::size_t count_weights(const Layer& layer) {
  std::size_t total = layer.weights;
  for (const Layer* input : layer.inputs) total += count_weights(*input);
  return total;
}

}  // namespace

int main() {
  Layer embedding{512, {}}, hidden{1024, {&embedding}}, output{10, {&hidden}};
  std::printf("weights: %zu\n", count_weights(output));
  std::fflush(stdout);
  // a skip connection, the wrong way round
  embedding.inputs.push_back(&output);
  std::printf("weights: %zu\n", count_weights(output));
  return 0;
}
