// Rows of unequal length where one block of numbers is needed. NumPy before 1.24 made an array of Python objects out of
// them, which TensorFlow, Keras and torch refuse much later and in words that name neither the row nor its length.
#include <fmt/format.h>

#include "diagnose/array_error.h"
#include "diagnose/array_words.h"
#include "diagnose/line_use.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

// The words of NumPy, TensorFlow and torch for rows that do not form a block.
bool says_unequal(std::string_view words) {
  return has_any(words, {"inhomogeneous shape", "non-rectangular Python sequence", "expected sequence of length",
                         "each element in list of batch should be of equal size", "equal size, but got",
                         "batch tensors with different shapes", "Cannot add tensor to the batch",
                         "all input arrays must have the same shape", "setting an array element with a sequence"});
}

// Objects where numbers are needed: unequal rows are one way to get there.
bool refuses_objects(std::string_view words) {
  return has_any(words, {"dtype: object", "Unsupported object type", "numpy.object_", "found object",
                         "could not convert string to float", "must be a string or a", "dtype('O')"});
}

std::string words_for(const UnequalRows& r) {
  const auto rows = r.own ? "rows of " + r.value.name : std::string("rows");
  const auto first = r.own ? fmt::format("{}[{}]", r.value.name, r.odd_index) : fmt::format("row {}", r.odd_index);
  const auto usual = r.by_shape ? r.usual_shape : count_text(r.usual);
  const auto odd = r.by_shape ? r.odd_shape : count_text(r.odd) + (r.odd == 1 ? " value" : " values");
  const char* has = r.by_shape ? "is" : "has";
  const char* have = r.by_shape ? "are" : "have";
  if (r.odd_count == 1 && r.usual_count == 1)
    return fmt::format("{} {} {}, the other row {} {}", first, has, odd, has, usual);
  if (r.odd_count == 1)
    return fmt::format("{} {} {}, the other {} rows {} {}", first, has, odd, count_text(r.usual_count), have, usual);
  const auto all = count_text(r.odd_count + r.usual_count);
  if (r.usual_count > r.odd_count)
    return fmt::format("{} of the {} {} differ: {} {} {}, most {} {}", count_text(r.odd_count), all, rows, first, has,
                       odd, have, usual);
  if (r.by_shape) return fmt::format("the {} {} have {} different shapes", all, rows, r.lengths);
  return fmt::format("the {} {} have {} different lengths, from {} to {}", all, rows, r.lengths, count_text(r.least),
                     count_text(r.most));
}

void add_fix(const UnequalRows& r, Finding& out) {
  if (r.odd_count == 1 && !r.by_shape) {
    out.fix.push_back(fmt::format("{} row {} to {}, or drop it.", r.odd < r.usual ? "Pad" : "Cut", r.odd_index,
                                  count_text(r.usual) + (r.usual == 1 ? " value" : " values")));
    return;
  }
  out.fix.push_back(
      "Bring the rows to one length before they become one array: pad, cut or drop the ones that differ.");
  if (!r.by_shape) out.fix.push_back("Or keep them as a list of rows and use an input that takes ragged data.");
}

// Is it these rows that became the array? A list that the line only walks over may be unequal by right.
Finding by_rows(const Facts& f, const UnequalRows& rows) {
  const auto line = own_line(f);
  const bool walked =
      rows.own && !rows.value.array && has_any(line, {rows.value.name}) && !is_given_whole(line, rows.value.name);
  Finding out = finding(Cause::ragged_batch, walked ? Strength::strong : Strength::proven, words_for(rows));
  if (walked)
    out.rival = fmt::format("rows that are made of `{}` on this line and differ by themselves", rows.value.name);
  out.evidence_for.push_back(value_fact(f, rows.value));
  add_fix(rows, out);
  return out;
}

Finding by_words(const Facts& f) {
  Finding out = finding(Cause::ragged_batch, Strength::strong,
                        fmt::format("rows of unequal length do not form one array: {}", f.failure->words));
  out.rival = "rows of one length of which a single element is itself a list";
  out.fix.push_back(
      "Bring the rows to one length before they become one array: pad, cut or drop the ones that differ.");
  if (has_any(f.failure->words, {"Cannot batch tensors", "Cannot add tensor to the batch"}))
    out.fix.push_back("In a tf.data pipeline padded_batch() instead of batch() pads each to the largest of its batch.");
  if (has_any(f.failure->words, {"stack expects each tensor"}))
    out.fix.push_back("In a DataLoader a collate_fn of your own can pad them: torch.nn.utils.rnn.pad_sequence.");
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (!f.failure || raised_by_user(f)) return std::nullopt;
  const auto& words = f.failure->words;
  const bool says = says_unequal(words);
  if (!says && !refuses_objects(words)) return std::nullopt;
  // numbers[i] = [1, 2] has these words too; of rows that form no block NumPy then says "inhomogeneous"
  if (words.ends_with("with a sequence.") && sets_element(failing_line(f))) return std::nullopt;
  if (!raising_library(f)) return std::nullopt;
  const auto rows = says ? unequal_rows_here(f) : unequal_objects_here(f);
  if (!rows && !says) return std::nullopt;
  // NumPy says the same of numbers[i] = [1, 2]: without "inhomogeneous" only counted rows show what it was.
  if (!rows && has_any(words, {"setting an array element"}) && !has_any(words, {"inhomogeneous"})) return std::nullopt;
  Finding out = rows ? by_rows(f, *rows) : by_words(f);
  out.evidence_for.push_back(error_fact(f));
  out.whose = whose_line(f);
  out.retryable = Retryable::no;
  out.prediction = "with rows of one length it does not fail here";
  return out;
}

}  // namespace

extern const Rule ragged_batch{.title = "ragged batch", .check = check};

}  // namespace sigwhy::diagnose::rules
