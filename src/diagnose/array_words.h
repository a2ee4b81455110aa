// What an error message says about arrays: the shapes, dtypes and sizes in it. NumPy writes (3,4), TensorFlow [3,4],
// torch 3x4 and torch.Size([3, 4]); dtypes have a name in NumPy and another in torch ("Float" is float32).
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sigwhy::diagnose {

using Dimensions = std::vector<std::int64_t>;  // -1: not fixed (None, ?)

std::vector<Dimensions> shapes_in(std::string_view message);
std::vector<std::uint64_t> numbers_in(std::string_view message);
// NumPy's names, each once, in the order of the message: "Double" gives float64.
std::vector<std::string> dtypes_in(std::string_view message);
std::optional<std::uint64_t> dtype_bytes(std::string_view dtype);
std::string shape_text(const Dimensions& shape);  // "(64, 784)", "(32,)"

// Shapes that agree, of two types: it is the types that clash.
bool names_types_of_equal_shapes(std::string_view message);
// A line that ends in a colon goes on in the next, and what stands in brackets belongs to its sentence.
std::vector<std::string_view> sentences_of(std::string_view message);
// Without attributes that a library keeps for itself: _output_shapes=[[]].
std::string without_private_names(std::string_view message);

bool has_any(std::string_view text, std::initializer_list<std::string_view> words);
// Each dimension of the broadcast that does not fit, counted from the end (1 is the last).
std::optional<std::size_t> broadcast_clash(const Dimensions& a, const Dimensions& b);

}  // namespace sigwhy::diagnose
