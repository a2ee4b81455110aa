#include "python/exceptions.h"

#include <algorithm>
#include <charconv>

#include "python/locals.h"

namespace sigwhy::python {

namespace {

constexpr int longest_chain = 8;
constexpr std::uint64_t longest_traceback = 20'000;
constexpr std::uint64_t outermost_frames = 16, innermost_frames = 48;
constexpr int most_bases = 12;
constexpr std::uint64_t most_arguments = 8;
constexpr int deepest_argument = 2;

// Messages are long (TensorFlow's run to pages), and one walk runs at a time.
TextBuffer<8192> message_room;

template <std::size_t room>
void append(TextBuffer<room>& into, std::string_view text) {
  for (const char c : text)
    if (into.size < room) into.bytes[into.size++] = c;
}

template <std::size_t room>
void append_number(TextBuffer<room>& into, std::int64_t number) {
  char digits[24];
  append(into, {digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits)});
}

class ExceptionWalk {
 public:
  ExceptionWalk(const Objects& objects, ExceptionSink& sink, FunctionRef<void(const TracebackFrame&)> seen)
      : o_(objects), at_(objects.layout().objects), sink_(sink), seen_(seen) {}

  // From the newest exception to the one that began it.
  void chain(Address object, Address traceback) {
    ExceptionLink link = ExceptionLink::ended_it;
    std::array<Address, longest_chain> seen{};
    for (int i = 0; i < longest_chain && object.value; ++i) {
      if (std::ranges::find(seen, object) != seen.end()) return;
      seen[static_cast<std::size_t>(i)] = object;
      const auto* found = o_.type_of(object);
      if (!found || found->kind != Kind::exception) return;
      const TypeInfo type = *found;
      one(object, type, link);
      if (!traceback.value && at_.exception.traceback) traceback = o_.pointer(object + *at_.exception.traceback);
      frames(traceback);
      traceback = {};
      object = behind(object, link);
    }
  }

  // Raised from C and not made into an object yet: a class and what it was raised with.
  void unmade(Address type, Address value, Address traceback) {
    const auto* found = o_.type_at(type);
    if (!found) return;
    const TypeInfo info = *found;
    const auto* kind = value.value ? o_.type_of(value) : nullptr;
    const bool tuple = kind && kind->kind == Kind::tuple;
    const auto count = tuple ? o_.length(value, Kind::tuple).value_or(0) : 0;
    const auto part = [&](std::uint64_t i) { return o_.pointer(value + at_.tuple.items + i * 8); };
    const bool of_system = is_os_error(info) && count >= 2;
    message_room.size = 0;
    if (of_system) os_message(value, count > 2 ? part(2) : Address{});
    else put_argument(value, derives_from(info, "KeyError"));
    name_of(type);
    ++exceptions_;
    sink_.exception({ExceptionLink::ended_it, {}, name_.view(), message_room.view()});
    bases(type);
    if (of_system) attribute("errno", part(0));
    if (of_system && count > 2) attribute("filename", part(2));
    if (tuple) arguments(value);
    else attribute("args[0]", value);
    frames(traceback);
  }

 private:
  Address behind(Address object, ExceptionLink& link) const {
    if (!at_.exception.cause || !at_.exception.context) return {};
    const Address cause = o_.pointer(object + *at_.exception.cause);
    if (cause.value) {
      const auto* type = o_.type_of(cause);
      link = type && type->name().ends_with("RemoteTraceback") ? ExceptionLink::remote : ExceptionLink::cause;
      return cause;
    }
    link = ExceptionLink::context;
    if (at_.exception.suppress_context &&
        o_.memory().read_value<std::uint8_t>(object + *at_.exception.suppress_context).value_or(0))
      return {};
    return o_.pointer(object + *at_.exception.context);
  }

  void one(Address object, const TypeInfo& type, ExceptionLink link) {
    name_of(type.at);
    message(object, type);
    ++exceptions_;
    sink_.exception({link, object, name_.view(), message_room.view()});
    bases(type.at);
    attributes(object, type);
  }

  // A class made in Python keeps its module in its dictionary; one made in C in its name.
  void name_of(Address type) {
    name_.size = 0;
    const auto* info = o_.type_at(type);
    if (!info) return;
    const Address dict = o_.pointer(type + at_.type.base + 8);
    const auto* kind = dict.value ? o_.type_of(dict) : nullptr;
    if (kind && kind->kind == Kind::dict) {
      TextBuffer<128> module;
      const Address found = o_.entry(dict, "__module__");
      if (found.value && read_text(o_.memory(), o_.layout(), found, module) && module.size && module.view() != "builtins" &&
          module.view() != "exceptions" && module.view() != "__main__") {
        append(name_, module.view());
        append(name_, ".");
      }
    }
    append(name_, o_.type_at(type)->name());
  }

  void bases(Address type) {
    for (int i = 0; i < most_bases; ++i) {
      type = o_.pointer(type + at_.type.base);
      const auto* info = type.value ? o_.type_at(type) : nullptr;
      if (!info || info->name() == "object") return;
      sink_.base(info->name());
    }
  }

  // What is too long keeps its beginning and its end: wrapped errors tell the root of it last.
  void put_text(Address object) {
    const auto room = std::span(message_room.bytes).subspan(message_room.size);
    const auto length = text_length(o_.memory(), o_.layout(), object).value_or(0);
    if (length <= room.size()) {
      message_room.size += read_text(o_.memory(), o_.layout(), object, room).value_or(0);
      return;
    }
    const auto beginning = room.size() / 4;
    message_room.size += read_text(o_.memory(), o_.layout(), object, room.first(beginning)).value_or(0);
    append(message_room, "\n[...]\n");
    const auto rest = std::span(message_room.bytes).subspan(message_room.size);
    message_room.size += read_text_end(o_.memory(), o_.layout(), object, rest).value_or(0);
  }

  void put_argument(Address object, bool quoted) {
    const auto* found = object.value ? o_.type_of(object) : nullptr;
    if (!found) return;
    switch (found->kind) {
      case Kind::text: {
        if (quoted) append(message_room, "'");
        put_text(object);
        if (quoted) append(message_room, "'");
        return;
      }
      case Kind::wide_text: {
        const auto room = std::span(message_room.bytes).subspan(message_room.size);
        message_room.size += read_wide_text(o_.memory(), object, room).value_or(0);
        return;
      }
      case Kind::integer:
        if (const auto number = o_.integer(object)) append_number(message_room, *number);
        return;
      case Kind::none:
        if (quoted) append(message_room, "None");
        return;
      case Kind::tuple: return put_arguments(object);
      case Kind::dtype: {
        TextBuffer<160> name;
        std::uint64_t bytes = 0;
        char kind = 0;
        if (!read_dtype(o_, object, name, bytes, kind)) return;
        append(message_room, "dtype('");
        append(message_room, name.view());
        append(message_room, "')");
        return;
      }
      default:
        append(message_room, "<");
        append(message_room, found->name());
        append(message_room, ">");
    }
  }

  // As str() of an exception: nothing, the one argument, or the tuple of them.
  void put_arguments(Address tuple, bool quoted = false, int depth = 0) {
    const auto count = o_.length(tuple, Kind::tuple).value_or(0);
    const bool as_tuple = count > 1 || depth > 0;
    if (as_tuple) append(message_room, "(");
    o_.elements(tuple, Kind::tuple, most_arguments, [&](std::uint64_t i, Address argument) {
      if (i) append(message_room, ", ");
      const auto* type = o_.type_of(argument);
      if (!type || type->kind != Kind::tuple) put_argument(argument, as_tuple || quoted);
      else if (depth < deepest_argument) put_arguments(argument, true, depth + 1);
      else append(message_room, "(...)");
      return true;
    });
    if (as_tuple) append(message_room, count == 1 ? ",)" : ")");
  }

  bool derives_from(const TypeInfo& type, std::string_view base) const {
    Address at = type.at;
    for (int i = 0; i < most_bases && at.value; ++i, at = o_.pointer(at + at_.type.base)) {
      const auto* info = o_.type_at(at);
      if (!info) return false;
      if (info->name() == base) return true;
    }
    return false;
  }

  bool is_os_error(const TypeInfo& type) const {
    return derives_from(type, "OSError") || derives_from(type, "EnvironmentError");
  }

  void message(Address object, const TypeInfo& type) {
    message_room.size = 0;
    // TensorFlow's errors keep their text in an attribute; so do the tracebacks that worker processes send.
    for (const char* name : {"_message", "tb"}) {
      const Address text = o_.attribute(object, name);
      const auto* kind = text.value ? o_.type_of(text) : nullptr;
      if (kind && (kind->kind == Kind::text || kind->kind == Kind::wide_text)) return put_argument(text, false);
    }
    const Address args = o_.pointer(object + at_.exception.args);
    const auto* kind = o_.type_of(args);
    if (!kind || kind->kind != Kind::tuple) return;
    if (is_os_error(type) && o_.length(args, Kind::tuple) == 2)
      return os_message(args, o_.pointer(object + at_.exception.filename));
    if (derives_from(type, "UnicodeDecodeError") && undecoded_message(args)) return;
    // A missing key is shown as Python writes it.
    put_arguments(args, derives_from(type, "KeyError"));
  }

  // An error message that quotes raw data, as TensorFlow's do, cannot be turned into a string: then Python tells of
  // that instead, and what was to be told stands in the bytes up to where they went wrong.
  bool undecoded_message(Address args) {
    constexpr std::uint64_t bytes_argument = 1;
    bool told = false;
    o_.elements(args, Kind::tuple, bytes_argument + 1, [&](std::uint64_t i, Address argument) {
      const auto* type = i == bytes_argument ? o_.type_of(argument) : nullptr;
      if (type && type->kind == Kind::bytes) told = put_printable(argument);
      return true;
    });
    return told;
  }

  bool put_printable(Address bytes) {
    std::array<char, 160> text;
    const auto size = std::min<std::uint64_t>(o_.length(bytes, Kind::bytes).value_or(0), text.size());
    const auto into = std::as_writable_bytes(std::span(text).first(size));
    if (size == 0 || o_.memory().read(bytes + o_.layout().bytes.data, into) != size) return false;
    const auto end = std::find_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size),
                                  [](char c) { return c < ' ' || c > '~'; });
    constexpr std::ptrdiff_t fewest = 16;  // else it is data, and no message
    if (end - text.begin() < fewest) return false;
    append(message_room, std::string_view(text.begin(), end));
    append(message_room, " [no text from here on]");
    return true;
  }

  // [Errno 2] No such file or directory: 'x'
  void os_message(Address args, Address filename) {
    o_.elements(args, Kind::tuple, 2, [&](std::uint64_t i, Address argument) {
      append(message_room, i ? "] " : "[Errno ");
      put_argument(argument, false);
      return true;
    });
    const auto* type = filename.value ? o_.type_of(filename) : nullptr;
    if (!type || type->kind == Kind::none) return;
    append(message_room, ": ");
    put_argument(filename, true);
  }

  void attribute(std::string_view name, Address object) {
    if (!object.value) return;
    class OneAttribute final : public ValueSink {
     public:
      explicit OneAttribute(ExceptionSink& sink) : sink_(sink) {}
      void value(const SeenValue& v) override { sink_.attribute(v); }
      void item(const SeenValue& v) override { sink_.attribute_item(v); }

     private:
      ExceptionSink& sink_;
    } one(sink_);
    describe_value(o_, name, object, false, false, one);
  }

  void arguments(Address tuple) {
    o_.elements(tuple, Kind::tuple, most_arguments, [&](std::uint64_t i, Address argument) {
      const char name[] = {'a', 'r', 'g', 's', '[', static_cast<char>('0' + i % 10), ']'};
      attribute({name, sizeof name}, argument);
      return true;
    });
  }

  void attributes(Address object, const TypeInfo& type) {
    const auto part = [&](const char* name, MaybeOffset offset) {
      if (offset) attribute(name, o_.pointer(object + *offset));
    };
    if (derives_from(type, "SystemExit")) part("code", at_.exception.exit_code);
    if (is_os_error(type)) {
      part("errno", at_.exception.errno_);
      part("filename", at_.exception.filename);
    }
    if (derives_from(type, "ImportError")) {
      part("name", at_.exception.import_name);
      part("path", at_.exception.import_path);
    }
    arguments(o_.pointer(object + at_.exception.args));
    o_.attributes(object, type, 16, [&](Address key, Address value) {
      TextBuffer<64> name;
      if (read_text(o_.memory(), o_.layout(), key, name)) attribute(name.view(), value);
      return true;
    });
  }

  // Of a deep traceback the few outermost frames and the innermost.
  void frames(Address traceback) {
    const auto count = length_of(traceback);
    if (count > outermost_frames + innermost_frames) sink_.traceback_length(count);
    std::size_t told = 0;
    for (std::uint64_t i = 0; i < count; ++i, traceback = o_.pointer(traceback + at_.traceback.next))
      if (i < outermost_frames || i + innermost_frames >= count) frame(traceback, told++);
  }

  std::uint64_t length_of(Address traceback) const {
    std::uint64_t count = 0;
    for (; count < longest_traceback && traceback.value; ++count) {
      const auto* type = o_.type_of(traceback);
      if (!type || type->name() != "traceback") break;
      traceback = o_.pointer(traceback + at_.traceback.next);
    }
    return count;
  }

  void frame(Address traceback, std::size_t index) {
    const Address object = o_.pointer(traceback + at_.traceback.frame);
    const Address frame = at_.frame_object_frame ? o_.pointer(object + *at_.frame_object_frame) : object;
    const auto last = o_.memory().read_value<std::int32_t>(traceback + at_.traceback.last_instruction).value_or(0);
    walk_frame(o_.memory(), o_.layout(), frame, std::max(last, 0), sink_);
    seen_({frame, exceptions_ - 1, index});
    locals_of(o_, frame, [&](const Local& local) {
      describe_value(o_, local.name, local.object, local.argument, false, sink_);
      return true;
    });
  }

  const Objects& o_;
  const ObjectLayout& at_;
  ExceptionSink& sink_;
  FunctionRef<void(const TracebackFrame&)> seen_;
  std::size_t exceptions_ = 0;
  TextBuffer<192> name_;
};

bool is_exception(const Objects& o, Address object) {
  const auto* type = object.value ? o.type_of(object) : nullptr;
  return type && type->kind == Kind::exception;
}

// What the interpreter printed last; its hook keeps it for debuggers.
Address printed_last(const Objects& o, Address thread) {
  const Address sys = o.pointer(o.pointer(thread + o.layout().thread.interpreter) + o.layout().interpreter.sys);
  for (const char* name : {"last_exc", "last_value"}) {
    const Address found = o.entry(sys, name);
    if (is_exception(o, found)) return found;
  }
  return {};
}

}  // namespace

bool walk_exception(const Objects& o, Address thread, bool printed_too, ExceptionSink& sink,
                    FunctionRef<void(const TracebackFrame&)> seen) {
  const auto& at = o.layout().thread;
  const Address object = o.pointer(thread + at.exception);
  const Address traceback = at.exception_traceback ? o.pointer(thread + *at.exception_traceback) : Address{};
  ExceptionWalk walk(o, sink, seen);
  if (is_exception(o, object)) {
    walk.chain(object, traceback);
    return true;
  }
  const Address type = at.exception_type ? o.pointer(thread + *at.exception_type) : Address{};
  if (type.value) {
    walk.unmade(type, object, traceback);
    return true;
  }
  const Address last = printed_too ? printed_last(o, thread) : Address{};
  walk.chain(last, {});
  return last.value != 0;
}

}  // namespace sigwhy::python
