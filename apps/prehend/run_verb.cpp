#include "run_verb.h"

#include <iostream>
#include <new>

#include "answer_output.h"
#include "declared_options.h"
#include "interruption.h"
#include "output_folder.h"
#include "progress.h"
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>

namespace prehend::cli {
namespace {

const Failure kInterrupted{ExitCode::interrupted, "interrupted", "interrupted", "prehend: interrupted"};

Failure bad_usage(const Verb& verb, const std::exception& error) {
  const std::string message = in_words_of_the_command_line(error.what(), declared_options(verb));
  return {ExitCode::bad_input, "bad_usage", message, "prehend: error: " + message};
}

Answer attended(const Verb& verb, const std::string& name, const Shared& shared) {
  if (verb.until_interrupted) return verb.run(shared);
  const InterruptionGuard guard(shared.json ? failure_document(name, kInterrupted) : "");
  const ProgressBar bar(shared.quiet);
  Answer answer = verb.run(shared);
  math::check_interrupt();
  return answer;
}

int answer_and_say_what_was_written(const Verb& verb, const std::string& name, const Shared& shared) {
  const WrittenFiles written(shared.out);
  Answer answer = attended(verb, name, shared);
  if (!shared.out.empty()) answer.written = written.names();
  const int code = print_answer(name, shared.json, answer);
  if (!shared.out.empty() && !shared.quiet) std::cerr << "prehend: " << written.sentence() << std::endl;
  return code;
}

}  // namespace

int run_verb(const Verb& verb, const std::string& name, const Shared& shared) {
  Failure failure;
  try {
    return answer_and_say_what_was_written(verb, name, shared);
  } catch (const math::Interrupted&) {
    failure = kInterrupted;
  } catch (const model::InputError& error) {
    failure = {ExitCode::bad_input, "bad_input", error.message(), error.what(), error.file(), error.line()};
  } catch (const UsageError& error) {
    failure = bad_usage(verb, error);
  } catch (const NoAnswerError& error) {
    failure = {ExitCode::no_answer, error.status(), error.what(), std::string("prehend: ") + error.what()};
  } catch (const model::WriteError& error) {
    failure = {ExitCode::bad_input, "cannot_write", error.what(), error.what()};
  } catch (const std::invalid_argument& error) {  // an option's value that the library refuses
    failure = bad_usage(verb, error);
  } catch (const std::bad_alloc&) {
    failure = {ExitCode::defect, "defect", "out of memory", "prehend: error: out of memory"};
  } catch (const std::exception& error) {
    const std::string message =
        std::string(error.what()) + " (a defect of prehend; please report it with the input)";
    failure = {ExitCode::defect, "defect", message, "prehend: error: " + message};
  }
  return print_failure(name, shared.json, failure);
}

}  // namespace prehend::cli
