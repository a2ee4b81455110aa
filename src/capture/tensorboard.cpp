#include "capture/tensorboard.h"

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <protozero/pbf_writer.hpp>

#include "base/crc32c.h"

namespace sigwhy::capture {

namespace {

constexpr double shortest_pause_s = 1;
constexpr double pauses_a_run = 2000;

// Field numbers of tensorflow/core/util/event.proto and framework/summary.proto.
enum EventField { wall_time = 1, step_number = 2, file_version = 3, summary = 5 };
enum SummaryField { value = 1 };
enum ValueField { tag = 1, simple_value = 2 };

double unix_s() {
  timespec t{};
  clock_gettime(CLOCK_REALTIME, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

std::uint32_t masked(std::span<const char> bytes) { return masked_crc32c(crc32c(std::as_bytes(bytes))); }

template <class Number>
void put(std::string& into, Number number) {
  into.append(reinterpret_cast<const char*>(&number), sizeof number);
}

class Scalars {
 public:
  void add(const std::string& name, double number) {
    std::string bytes;
    protozero::pbf_writer one(bytes);
    one.add_string(tag, name);
    one.add_float(simple_value, static_cast<float>(number));
    protozero::pbf_writer(all_).add_message(value, bytes);
  }
  const std::string& bytes() const { return all_; }

 private:
  std::string all_;
};

const RecordedValue* newest(const RecordedStep& step) { return step.count ? &step.values[step.count - 1] : nullptr; }

// The variable that is looked at most often and has only risen.
const RecordedStep* counter_of(const RunRecord& r) {
  const RecordedStep* best = nullptr;
  for (std::size_t i = 0; i < r.step_count; ++i) {
    const RecordedStep& s = r.steps[i];
    const auto end = s.values + s.count;
    const bool rises = s.count > 2 && std::is_sorted(s.values, end, [](const auto& a, const auto& b) { return a.value < b.value; }) &&
                       s.values[0].value < newest(s)->value;
    if (rises && (!best || s.looks > best->looks)) best = &s;
  }
  return best;
}

Scalars scalars_of(const RunRecord& r) {
  constexpr double mib = 1 << 20;
  Scalars all;
  const Reading& now = r.recent[(r.recent_count - 1) % record_recent];
  for (std::size_t c = 0; c < record_processes; ++c) {
    const auto& p = now.processes[c];
    if (p.anonymous == not_read) continue;
    const auto name = c == record_others ? "others" : std::string(r.processes[c].command) + "-" + std::to_string(r.processes[c].pid);
    all.add("memory/rss/" + name, (double(p.anonymous) + double(p.file) + double(p.shared)) / 1024);
  }
  if (now.group_kib != not_read) all.add("memory/group", now.group_kib / 1024.0);
  const auto limit = r.group.limit_bytes ? r.group.limit_bytes : r.machine.memory_bytes;
  if (limit) all.add("memory/limit", static_cast<double>(limit) / mib);
  if (const auto* counter = counter_of(r)) all.add("step", static_cast<double>(newest(*counter)->value));
  return all;
}

}  // namespace

EventFile::EventFile(const std::string& folder) {
  char host[65] = "localhost", name[160];
  gethostname(host, sizeof host - 1);
  snprintf(name, sizeof name, "/events.out.tfevents.%010lld.%s.%d.sigwhy", static_cast<long long>(unix_s()), host, getpid());
  fd_ = OwnedFd(::open((folder + name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644));
  std::string first;
  protozero::pbf_writer event(first);
  event.add_double(wall_time, unix_s());
  event.add_string(file_version, "brain.Event:2");
  write_record(first);
}

void EventFile::add(const RunRecord& record) {
  if (!fd_ || !record.recent_count || record.last_s < next_s_) return;
  next_s_ = record.last_s + std::max(shortest_pause_s, record.last_s / pauses_a_run);
  std::string bytes;
  protozero::pbf_writer event(bytes);
  event.add_double(wall_time, unix_s());
  event.add_int64(step_number, static_cast<std::int64_t>(record.last_s));
  event.add_message(summary, scalars_of(record).bytes());
  write_record(bytes);
}

void EventFile::write_record(const std::string& bytes) {
  std::string framed;
  put(framed, static_cast<std::uint64_t>(bytes.size()));
  put(framed, masked({framed.data(), 8}));
  framed += bytes;
  put(framed, masked(bytes));
  if (fd_ && ::write(fd_.get(), framed.data(), framed.size()) != static_cast<ssize_t>(framed.size()))
    fd_ = OwnedFd();  // half a record: a full disk; nothing behind it could be read
}

}  // namespace sigwhy::capture
