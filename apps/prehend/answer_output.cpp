#include "answer_output.h"

#include <iostream>

#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>

namespace prehend::cli {
namespace {

// {"message":...,"file":...,"line":...}
void write_error(model::JsonWriter& json, const std::string& message, const std::string& file, int line) {
  json.key("error").object().field("message", message);
  json.key("file");
  file.empty() ? json.null() : json.value(file);
  json.key("line");
  line > 0 ? json.value(line) : json.null();
  json.end();
}

}  // namespace

std::string failure_document(const std::string& verb, const Failure& failure) {
  model::JsonWriter json;
  json.object().key("verb");
  verb.empty() ? json.null() : json.value(verb);
  json.field("status", failure.status).field("time_ms", 0.0);
  write_error(json, failure.message, failure.file, failure.line);
  return model::indented_json(json.end().text()) + "\n";
}

std::string answer_document(const std::string& verb, const Answer& answer) {
  model::JsonWriter json;
  json.object().field("verb", verb);
  if (!answer.document.starts_with("{\"status\"")) json.field("status", answer.status);
  if (!answer.document.empty()) json.members(answer.document);
  if (!answer.error.empty()) write_error(json, answer.error, "", 0);
  if (!answer.written.empty()) json.field("written", answer.written);
  json.field("time_ms", answer.time_ms).end();
  return model::indented_json(json.text()) + "\n";
}

int print_failure(const std::string& verb, bool json, const Failure& failure) {
  if (json) {
    std::cout << failure_document(verb, failure) << std::flush;
  } else {
    std::cerr << failure.sentence << std::endl;
  }
  return static_cast<int>(failure.code);
}

int print_answer(const std::string& verb, bool json, const Answer& answer) {
  if (json) {
    std::cout << answer_document(verb, answer) << std::flush;
  } else {
    // What stands on standard error is not said on standard output as well.
    std::cout << (answer.error.empty() ? answer.text : model::without_sentences_of(answer.text, answer.error))
              << std::flush;
    if (!answer.error.empty()) std::cerr << "prehend: " << answer.error << std::endl;
  }
  return static_cast<int>(std::cout.good() ? answer.code : ExitCode::defect);
}

}  // namespace prehend::cli
