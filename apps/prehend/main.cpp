// The command line: parses, runs one verb, prints its answer. Exit codes: 0 an answer, 2 bad usage or input, 3 no
// answer, 1 a defect of ours. With --json exactly one document reaches standard output, whatever happens.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <deque>
#include <iostream>
#include <memory>
#include <new>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "verb.h"
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>

namespace prehend::cli {
namespace {

class Cli11Arguments : public Arguments {
 public:
  explicit Cli11Arguments(CLI::App& app) : app_(app) {}
  void positional(const std::string& name, std::string& value, const std::string& help) override {
    app_.add_option(name, value, help)->required();
  }
  void optional(const std::string& name, std::string& value, const std::string& help) override {
    app_.add_option(name, value, help);
  }
  void flag(const std::string& name, bool& value, const std::string& help) override {
    app_.add_flag(name, value, help);
  }
  void option(const std::string& name, std::string& value, const std::string& help) override {
    add(name, value, help);
  }
  void option(const std::string& name, double& value, const std::string& help) override {
    add(name, value, help);
  }
  void option(const std::string& name, int& value, const std::string& help) override {
    add(name, value, help);
  }
  void option(const std::string& name, std::vector<std::string>& values, const std::string& help) override {
    app_.add_option(name, values, help)->delimiter(',');
  }
  void words(const std::string& name, const std::string& what, std::vector<std::string>& values,
             const std::string& help) override {
    const int count = 1 + static_cast<int>(std::count(what.begin(), what.end(), ' '));
    app_.add_option(name, values, help)->expected(count)->type_name(what);
  }

 private:
  template <class T>
  void add(const std::string& name, T& value, const std::string& help) {
    CLI::Option* option = app_.add_option(name, value, help);
    if constexpr (std::is_arithmetic_v<T>) option->capture_default_str();
  }
  CLI::App& app_;
};

struct Failure {
  ExitCode code;
  std::string status, message, sentence, file;
  int line{0};
};

int print_failure(const std::string& verb, bool json, const Failure& failure) {
  if (json) {
    nlohmann::ordered_json error = {{"message", failure.message}};
    error["file"] = failure.file.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(failure.file);
    error["line"] = failure.line > 0 ? nlohmann::ordered_json(failure.line) : nlohmann::ordered_json();
    const nlohmann::ordered_json document = {
        {"verb", verb.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(verb)},
        {"status", failure.status},
        {"time_ms", 0.0},
        {"error", error}};
    // Names and messages may quote arbitrary bytes of the input: invalid UTF-8 is replaced, never thrown on.
    std::cout << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  } else {
    std::cerr << failure.sentence << std::endl;
  }
  return static_cast<int>(failure.code);
}

int print_answer(const std::string& verb, const Shared& shared, const Answer& answer) {
  if (shared.json) {
    nlohmann::ordered_json document = {
        {"verb", verb}, {"status", answer.status}, {"time_ms", answer.time_ms}};
    if (!answer.document.empty()) {
      const auto own = nlohmann::ordered_json::parse(answer.document);
      for (const auto& [key, value] : own.items()) document[key] = value;
    }
    if (!answer.error.empty()) {
      document["error"] = {{"message", answer.error}, {"file", nullptr}, {"line", nullptr}};
    }
    std::cout << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  } else {
    std::cout << answer.text << std::flush;
    if (!answer.error.empty()) std::cerr << "prehend: " << answer.error << std::endl;
  }
  // A full disk or a closed pipe must not look like success.
  return static_cast<int>(std::cout.good() ? answer.code : ExitCode::defect);
}

int run_verb(const Verb& verb, const std::string& name, const Shared& shared) {
  try {
    return print_answer(name, shared, verb.run(shared));
  } catch (const model::InputError& error) {
    return print_failure(name, shared.json,
                         {ExitCode::bad_input, "bad_input", error.message(), error.what(), error.file(), error.line()});
  } catch (const UsageError& error) {
    return print_failure(
        name, shared.json,
        {ExitCode::bad_input, "bad_usage", error.what(), std::string("prehend: error: ") + error.what(), ""});
  } catch (const NoAnswerError& error) {
    return print_failure(
        name, shared.json,
        {ExitCode::no_answer, error.status(), error.what(), std::string("prehend: ") + error.what(), ""});
  } catch (const model::WriteError& error) {
    return print_failure(name, shared.json, {ExitCode::bad_input, "cannot_write", error.what(), error.what(), ""});
  } catch (const std::invalid_argument& error) {  // an option's value that the library refuses
    return print_failure(
        name, shared.json,
        {ExitCode::bad_input, "bad_usage", error.what(), std::string("prehend: error: ") + error.what(), ""});
  } catch (const std::bad_alloc&) {
    return print_failure(name, shared.json,
                         {ExitCode::defect, "defect", "out of memory", "prehend: error: out of memory", ""});
  } catch (const std::exception& error) {
    const std::string message =
        std::string(error.what()) + " (a defect of prehend; please report it with the input)";
    return print_failure(name, shared.json, {ExitCode::defect, "defect", message, "prehend: error: " + message, ""});
  }
}

// "-.5" is a number, which the parser takes for an option; "-0.5" is not mistaken.
std::vector<std::string> with_plain_numbers(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  for (std::string& word : words) {
    if (word.size() > 2 && word[0] == '-' && word[1] == '.' &&
        std::isdigit(static_cast<unsigned char>(word[2])))
      word.insert(1, "0");
  }
  return words;
}

CLI::App* add_command(CLI::App& parent, const Verb& verb, std::deque<Cli11Arguments>& arguments) {
  CLI::App* command = parent.add_subcommand(verb.name, verb.summary);
  command->footer("Example:\n  " + verb.example);
  if (verb.declare) verb.declare(arguments.emplace_back(*command));
  return command;
}

// "knot read": as the verb appears in messages and documents.
std::string full_name(const CLI::App& app) {
  std::string name;
  for (const CLI::App* command : app.get_subcommands()) {
    const std::string part = full_name(*command);
    name = command->get_name() + (part.empty() ? "" : " " + part);
  }
  return name;
}

int run(int argc, char** argv) {
  CLI::App app("Prehend: physical understanding for robots that handle things.", "prehend");
  app.require_subcommand(1);
  app.fallthrough();
  app.set_version_flag("--version", PREHEND_VERSION);
  Shared shared;
  app.add_flag("--json", shared.json, "Print exactly one JSON document on standard output");
  app.add_flag("--quiet", shared.quiet, "No messages on standard error");
  app.add_option("--out", shared.out, "Write report and artefacts into this folder");
  app.add_option("--seed", shared.seed, "Seed of all random numbers")->capture_default_str();
  app.add_option("--threads", shared.threads, "Threads; 0: one per core")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();

  std::vector<Verb> verbs = {inspect_verb(),     identify_verb(), excite_verb(),     joint_verb(),
                             discover_verb(),    topology_verb(), markers_verb(),    simulate_object_verb(),
                             contacts_verb(),    forces_verb(),   robustness_verb(), transport_verb(),
                             disassemble_verb(), knot_verb(),     demo_verb(),       reproduce_verb(),
                             view_verb(),        version_verb()};
  verbs.push_back(completion_verb(verbs));
  std::deque<Cli11Arguments> arguments;
  for (const Verb& verb : verbs) {
    CLI::App* command = add_command(app, verb, arguments);
    if (!verb.parts.empty()) command->require_subcommand(1);
    for (const Verb& part : verb.parts) add_command(*command, part, arguments);
  }
  try {
    const std::vector<std::string> words = with_plain_numbers(argc, argv);
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    app.parse(argc, pointers.data());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    // The parser may have stopped before it saw --json.
    bool json = false;
    for (int i = 1; i < argc; ++i) json = json || std::string_view(argv[i]) == "--json";
    const std::string verb = full_name(app);
    const std::string advice = "; see prehend " + (verb.empty() ? std::string() : verb + " ") + "--help";
    return print_failure(
        verb, json,
        {ExitCode::bad_input, "bad_usage", error.what(), "prehend: error: " + std::string(error.what()) + advice, ""});
  }
  for (const Verb& verb : verbs) {
    if (!app.got_subcommand(verb.name)) continue;
    if (verb.parts.empty()) return run_verb(verb, verb.name, shared);
    for (const Verb& part : verb.parts) {
      if (app.get_subcommand(verb.name)->got_subcommand(part.name))
        return run_verb(part, full_name(app), shared);
    }
  }
  return static_cast<int>(ExitCode::defect);
}

}  // namespace
}  // namespace prehend::cli

int main(int argc, char** argv) { return prehend::cli::run(argc, argv); }
