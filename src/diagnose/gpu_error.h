// Which exceptions speak of the GPU. Every library words them its own way, but all pass on what the driver said: a
// number (2 no memory, 700 illegal address, 710 assertion) that newer ones keep on the exception, or its name
// (cudaErrorAssert, CUDA_ERROR_ASSERT) or NVIDIA's sentence for it. TensorFlow and JAX have allocators of their own:
// TensorFlow names the device, JAX says the same of the host's memory.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

enum class GpuError { memory, illegal_access, failed_check };

// The first of the chain that is one and counts; nothing where the user's own code raised it.
std::optional<std::size_t> gpu_error(const Facts& facts, GpuError kind);

// By its class or its words it is about a GPU and not about the host (whose pinned memory the driver gives out too).
// The word GPU alone is no sign: launchers and schedulers use it of processes.
bool names_gpu(const PyException& exception);
// The process had a GPU open when it ended.
bool has_gpu_open(const Facts& facts);

// What a reader must know of the line: launches return at once, so that a later line reports what a kernel did.
bool launches_block(const Facts& facts);         // CUDA_LAUNCH_BLOCKING=1
std::string reporting_line(const Facts& facts);  // "train.py:31"
Fact launch_fact(const Facts& facts, std::size_t exception);
inline constexpr auto block_launches =
    "Run it once with CUDA_LAUNCH_BLOCKING=1: then the line that reports the error is the one that launched the "
    "kernel.";

// Arrays that lie on a GPU, by their device.
bool is_on_gpu(const Array& array);

}  // namespace sigwhy::diagnose
