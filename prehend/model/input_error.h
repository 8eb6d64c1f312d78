// Errors of untrusted input, with one sentence for the exception, the command line and the tests.
#pragma once

#include <stdexcept>
#include <string>

namespace prehend::model {

// what() reads `FILE:LINE: error: WHAT`, or `FILE: error: WHAT` when the line is unknown (0, or a binary file).
// `what` names what is wrong, what was expected and, where it helps, what to do.
class InputError : public std::runtime_error {
 public:
  InputError(std::string file, int line, std::string what);

  const std::string& file() const { return file_; }
  int line() const { return line_; }                       // 1-based; 0 when unknown
  const std::string& message() const { return message_; }  // without file and line

 private:
  std::string file_;
  int line_;
  std::string message_;
};

}  // namespace prehend::model
