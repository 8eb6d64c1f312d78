// Scanning untrusted text in place: lines with their numbers, words, and strict numbers. No copies, no
// locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace prehend::model {

// Walks over lines (LF, CRLF or a lone CR at the end of a line); line() is the 1-based number of the line
// given last.
class LineScanner {
 public:
  explicit LineScanner(std::string_view text);
  // False at the end. The line comes without its line end; a last line without one is given too.
  bool next(std::string_view& line);
  int line() const { return line_; }
  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
  int line_{0};
};

// Takes the next word off the front of `text`; words are separated by spaces, tabs, CR, LF, VT, FF. Empty at
// the end.
std::string_view take_word(std::string_view& text);

// Without white space at both ends.
std::string_view trimmed(std::string_view text);

// True when equal but for the case of ASCII letters.
bool equals_ignoring_case(std::string_view a, std::string_view b);

// ASCII letters made small.
std::string lower_case(std::string_view text);

// The whole of `text` as a finite number in C notation (a leading + is taken); nothing for anything else,
// also for nan, inf and values past the range of double. Values below the smallest double become that or
// zero.
std::optional<double> parse_number(std::string_view text);

// The whole of `text` as a decimal integer.
std::optional<std::int64_t> parse_integer(std::string_view text);

// A piece of untrusted text made fit for a message: at most 40 characters, unprintable bytes as '?', in
// quotes.
std::string in_quotes(std::string_view text);

// True when the first kilobyte holds a byte that no text file has (NUL and most control characters).
bool looks_binary(std::string_view bytes);

// A number written so that parse_number gives back the same bits (at most 17 digits).
std::string exact_number(double value);
void append_number(std::string& out, double value);

// --- UTF-8

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  // U+FFFD

// The first character of `bytes`, or the replacement character when they begin with none; `bytes` moves past it. Each
// maximal invalid sequence counts as one, as browsers do (Unicode 15, table 3-7: overlong forms, surrogates and
// values past U+10FFFF are invalid). `bytes` must not be empty.
std::string_view take_character(std::string_view& bytes);

// Text of unknown origin made valid UTF-8.
std::string cleaned_utf8(std::string_view bytes);

}  // namespace prehend::model
