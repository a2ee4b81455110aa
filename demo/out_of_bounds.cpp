// A small training loop with a bug that many have written once: the samples of an epoch are visited in a shuffled
// order, and for the last epoch the order is made for a larger data set than the one that was loaded.
//
//   sigwhy demo out_of_bounds
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

struct Dataset {
  std::vector<float> images;
  std::vector<std::int64_t> labels;
};

Dataset load_dataset(std::size_t samples, std::size_t pixels) {
  Dataset data;
  data.images.resize(samples * pixels);
  data.labels.resize(samples);
  for (std::size_t i = 0; i < data.images.size(); ++i) data.images[i] = static_cast<float>(i % 255) / 255;
  for (std::size_t i = 0; i < data.labels.size(); ++i) data.labels[i] = static_cast<std::int64_t>(i % 10);
  return data;
}

// `visits` samples out of `samples`, in an order that looks random.
std::vector<std::size_t> shuffled_order(std::size_t visits, std::size_t samples) {
  std::vector<std::size_t> order(visits);
  std::size_t next = 17;
  for (auto& index : order) {
    next = next * 6364136223846793005u + 1442695040888963407u;
    index = (next >> 33) % samples;
  }
  return order;
}

// The op: takes the label of each sample in turn. Nobody tells it how many labels there are.
[[gnu::noinline]] double sum_loss(const std::int64_t* labels, const std::vector<std::size_t>& order, double weight) {
  double loss = 0;
  for (const std::size_t index : order) {
    const double miss = weight - static_cast<double>(labels[index]);
    loss += miss * miss;
  }
  return loss;
}

[[gnu::noinline]] double train_epoch(const Dataset& data, std::size_t samples, double weight) {
  const auto order = shuffled_order(20'000, samples);
  return sum_loss(data.labels.data(), order, weight) / static_cast<double>(order.size());
}

}  // namespace

int main() {
  constexpr std::size_t loaded = 12'000, in_full_data_set = 60'000'000, pixels = 64;
  const auto data = load_dataset(loaded, pixels);
  double weight = 0;
  for (int epoch = 1; epoch <= 3; ++epoch) {
    const double loss = train_epoch(data, epoch < 3 ? loaded : in_full_data_set, weight);
    std::printf("epoch %d  loss %.4f\n", epoch, loss);
    std::fflush(stdout);
    weight += 1.5;
  }
  return 0;
}
