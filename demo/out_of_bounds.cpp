// A small training loop with a bug that every reader has written once: the op that sums up the loss trusts the
// number of samples it is told, and in the last epoch it is told too many.
//
//   sigwhy demo out_of_bounds
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Dataset {
  std::vector<float> images;
  std::vector<long> labels;
};

Dataset make_dataset(std::size_t samples, std::size_t pixels) {
  Dataset data;
  data.images.resize(samples * pixels);
  data.labels.resize(samples);
  for (std::size_t i = 0; i < data.images.size(); ++i) data.images[i] = static_cast<float>(i % 255) / 255;
  for (std::size_t i = 0; i < data.labels.size(); ++i) data.labels[i] = static_cast<long>(i % 10);
  return data;
}

// Reads one label for each sample; nobody tells it how many there are.
[[gnu::noinline]] double sum_loss(const long* labels, std::size_t samples, double weight) {
  double loss = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    const double miss = weight - static_cast<double>(labels[i]);
    loss += miss * miss;
  }
  return loss;
}

[[gnu::noinline]] double train_epoch(const Dataset& data, std::size_t batches, std::size_t batch_size, double weight) {
  return sum_loss(data.labels.data(), batches * batch_size, weight) / static_cast<double>(data.labels.size());
}

}  // namespace

int main() {
  constexpr std::size_t samples = 60'000, pixels = 64, batch_size = 32;
  const auto data = make_dataset(samples, pixels);
  std::size_t batches = samples / batch_size;
  double weight = 0;
  for (int epoch = 1; epoch <= 3; ++epoch) {
    const double loss = train_epoch(data, batches, batch_size, weight);
    std::printf("epoch %d  loss %.4f\n", epoch, loss);
    std::fflush(stdout);
    weight += 1.5;
    // "train longer": the batches of a whole file of augmented samples, which was never loaded
    if (epoch == 2) batches *= 4'000;
  }
  return 0;
}
