#include "native/lines_job.h"

#include <unistd.h>

#include "base/byte_reader.h"
#include "native/debuginfod.h"

namespace sigwhy::native {

namespace {

enum Kind : std::uint32_t { job_started = 1, answer = 2 };

template <class T> void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_text(std::string& out, std::string_view text) {
  put(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

void put_source(std::string& out, const std::optional<Source>& source) {
  put_text(out, source ? source->file : "");
  put(out, static_cast<std::int32_t>(source ? source->line : 0));
  put(out, static_cast<std::int32_t>(source ? source->column.value_or(0) : 0));
}

void send(int out, Kind kind, const std::string& payload) {
  std::string record;
  put(record, kind);
  put(record, static_cast<std::uint32_t>(payload.size()));
  record += payload;
  for (std::string_view rest = record; !rest.empty();) {
    const auto written = write(out, rest.data(), rest.size());
    if (written <= 0) _exit(1);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string packed(Address pc, const LineAnswer& a) {
  std::string out;
  put(out, pc.value);
  put_text(out, a.function.value_or(""));
  put_source(out, a.source);
  put(out, static_cast<std::uint32_t>(a.inlined.size()));
  for (const auto& call : a.inlined) {
    put_text(out, call.symbol);
    put_source(out, call.source);
  }
  return out;
}

std::string text(ByteReader& reader) { return std::string(reader.take_text(reader.read<std::uint32_t>())); }

std::optional<Source> source(ByteReader& reader) {
  Source s{.file = text(reader), .line = reader.read<std::int32_t>()};
  if (const auto column = reader.read<std::int32_t>(); column > 0) s.column = column;
  return s.line > 0 ? std::optional(s) : std::nullopt;
}

LineAnswer unpacked(ByteReader& reader) {
  LineAnswer a;
  if (auto function = text(reader); !function.empty()) a.function = std::move(function);
  a.source = source(reader);
  const auto count = reader.read<std::uint32_t>();
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) {
    auto symbol = text(reader);
    a.inlined.push_back({std::move(symbol), source(reader)});
  }
  return a;
}

}  // namespace

void do_jobs(const std::vector<LineJob>& jobs, int out) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto& job = jobs[i];
    std::string started;
    put(started, static_cast<std::uint64_t>(i));
    send(out, job_started, started);
    auto info = DebugInfo::open(job.file ? job.file->duplicate_fd() : ask_debuginfod(job.build_id));
    if (!info) continue;
    for (const auto& [pc, address] : job.addresses)
      if (const auto found = info->at(address)) send(out, answer, packed(pc, *found));
  }
}

LineAnswers parse_answers(std::string_view bytes) {
  LineAnswers answers;
  ByteReader records(std::as_bytes(std::span(bytes)));
  while (records.left() > 0) {
    const auto kind = records.read<std::uint32_t>();
    ByteReader payload(records.take(records.read<std::uint32_t>()));
    if (records.failed()) break;
    if (kind == job_started) {
      answers.last_job = payload.read<std::uint64_t>();
    } else if (kind == answer) {
      const Address pc{payload.read<std::uint64_t>()};
      auto a = unpacked(payload);
      if (!payload.failed()) answers.by_pc[pc] = std::move(a);
    }
  }
  return answers;
}

}  // namespace sigwhy::native
