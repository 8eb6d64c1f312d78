// Answers and failures as they reach the user: a table or one JSON document on standard output, messages on standard error.
#pragma once

#include <string>

#include "verb.h"

namespace prehend::cli {

// Why there is no answer.
struct Failure {
  ExitCode code{ExitCode::defect};
  std::string status;    // JSON `status`
  std::string message;   // JSON `error.message`
  std::string sentence;  // for people
  std::string file{};    // that is to blame; empty: none
  int line{0};           // of that file; 0: none
};

// {"verb", "status", "time_ms", "error": {"message", "file", "line"}}, indented, with a newline.
std::string failure_document(const std::string& verb, const Failure& failure);

// {"verb", "status", ..., "written" where --out was given, "time_ms"}, indented, with a newline.
std::string answer_document(const std::string& verb, const Answer& answer);

// Both return the exit code: a full disk or a closed pipe is not success.
int print_failure(const std::string& verb, bool json, const Failure& failure);
int print_answer(const std::string& verb, bool json, const Answer& answer);

}  // namespace prehend::cli
