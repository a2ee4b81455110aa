// abseil's logging (TensorFlow from 2.17 on, gRPC, JAX) keeps a message as a protobuf event until it is printed:
//   2 file name   3 line   4 time   5 severity   6 thread   7 value { 1 text made at run time | 6 literal }, repeated
// The event stays in the heap while the program aborts; its values put together are the message.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sigwhy::native {

struct EncodedEvent {
  std::size_t start = 0;  // in the bytes that were searched
  std::size_t end = 0;
  std::string text;  // "tensor.cc:847: Check failed: IsAligned()"
};

// Events logged as fatal, complete or cut off behind a value.
std::vector<EncodedEvent> encoded_events(std::string_view bytes);

}  // namespace sigwhy::native
