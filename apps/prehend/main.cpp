// The command line: parses, runs one verb, prints its answer. Exit codes: 0 an answer, 2 bad usage or input, 3 no
// answer, 1 a defect of ours, 130 interrupted. With --json exactly one document reaches standard output, whatever happens.
#include <algorithm>
#include <cctype>
#include <deque>
#include <sstream>

#include <CLI/CLI.hpp>

#include "answer_output.h"
#include "example_data.h"
#include "run_verb.h"
#include "spelling.h"
#include "verb.h"
#include <prehend/model/text_scan.h>

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
  void repeated_words(const std::string& name, const std::string& what, std::vector<std::string>& values,
                      const std::string& help) override {
    const int count = 1 + static_cast<int>(std::count(what.begin(), what.end(), ' '));
    app_.add_option(name, values, help)->type_size(count)->allow_extra_args(false)->type_name(what);
  }

 private:
  template <class T>
  void add(const std::string& name, T& value, const std::string& help) {
    CLI::Option* option = app_.add_option(name, value, help);
    if constexpr (std::is_arithmetic_v<T>) option->capture_default_str();
  }
  CLI::App& app_;
};

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

// "--objective near x y z" is one choice with a point: one word for the parser, which cannot tell how many follow.
std::vector<std::string> with_joined_points(std::vector<std::string> words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != "--objective" || words[i + 1] != "near") continue;
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(i) + 2;
    auto last = first;
    for (; last != words.end() && last - first < 3 && !last->starts_with("--"); ++last)
      words[i + 1] += " " + *last;
    words.erase(first, last);
  }
  return words;
}

// "help VERB" is "VERB --help".
std::vector<std::string> with_help_as_option(std::vector<std::string> words) {
  if (words.size() < 2 || words[1] != "help") return words;
  words.erase(words.begin() + 1);
  words.push_back("--help");
  return words;
}

constexpr const char* kExitCodes =
    "Exit codes:\n"
    "  0    an answer\n"
    "  2    bad usage or bad input\n"
    "  3    no answer (unstable, infeasible, not found, undetermined), with the reason\n"
    "  1    a defect of prehend\n"
    "  130  interrupted";

CLI::App* add_command(CLI::App& parent, const Verb& verb, std::deque<Cli11Arguments>& arguments) {
  CLI::App* command = parent.add_subcommand(verb.name, verb.summary);
  command->footer(
      [example = verb.example] { return "Example:\n  " + runnable_example(example) + "\n\n" + kExitCodes; });
  if (verb.declare) verb.declare(arguments.emplace_back(*command));
  return command;
}

void add_shared_options(CLI::App& app, Shared& shared) {
  app.add_flag("--json", shared.json, "Print exactly one JSON document on standard output");
  app.add_flag("--quiet", shared.quiet, "No messages on standard error");
  app.add_option("--out", shared.out, "Write report and artefacts into this folder");
  // The parser takes -1 for the largest number there is.
  const CLI::Validator whole(
      [](const std::string& word) {
        const bool is_whole = word.find_first_not_of("0123456789") == std::string::npos;
        return is_whole ? std::string() : "'" + word + "' is not a whole number of at least 0";
      },
      "NONNEGATIVE");
  app.add_option("--seed", shared.seed, "Seed of all random numbers")->check(whole)->capture_default_str();
  app.add_option("--threads", shared.threads, "Threads; 0: one per core")
      ->check(whole)
      ->capture_default_str();
}

std::vector<Verb> all_verbs() {
  std::vector<Verb> verbs = {inspect_verb(),         identify_verb(),  excite_verb(),      segment_verb(),
                             joint_verb(),           discover_verb(),  topology_verb(),    markers_verb(),
                             simulate_object_verb(), contacts_verb(),  mend_verb(),        forces_verb(),
                             robustness_verb(),      transport_verb(), disassemble_verb(), place_verb(),
                             freedom_verb(),         watch_verb(),     execute_verb(),     knot_verb(),
                             assist_verb(),          demo_verb(),      reproduce_verb(),   view_verb(),
                             version_verb()};
  verbs.push_back(completion_verb(verbs));
  return verbs;
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

// The parser's complaint as a sentence of ours.
std::string complaint(const CLI::ParseError& error, const std::string& verb, const std::vector<Verb>& verbs) {
  const std::string text = error.what();
  constexpr std::string_view kConversion = "Could not convert: ";
  const std::size_t equals = text.find(" = ");
  if (text.starts_with(kConversion) && equals != std::string::npos) {
    const std::string word = text.substr(equals + 3);
    return text.substr(kConversion.size(), equals - kConversion.size()) + ": '" + word + "' is not a " +
           (model::parse_number(word) ? "whole " : "") + "number";
  }
  constexpr std::string_view kOne = "The following argument was not expected: ",
                             kSeveral = "The following arguments were not expected: ";
  if (text.starts_with(kOne)) return "'" + text.substr(kOne.size()) + "' is one word too many";
  if (text.starts_with(kSeveral)) {
    std::istringstream rest(text.substr(kSeveral.size()));  // last first
    std::string words;
    for (std::string word; rest >> word;) words = word + (words.empty() ? "" : " ") + words;
    return "'" + words + "' are words too many";
  }
  if (!text.ends_with("subcommand is required")) return text;
  const auto whole = std::find_if(verbs.begin(), verbs.end(), [&](const Verb& v) { return v.name == verb; });
  if (whole == verbs.end()) return "a verb is required";
  std::string parts;
  for (const Verb& part : whole->parts) parts += (parts.empty() ? "" : ", ") + part.name;
  return verb + " needs one of these: " + parts;
}

// Of the verb, or its part, with that full name.
std::string example_of(const std::string& name, const std::vector<Verb>& verbs) {
  for (const Verb& verb : verbs) {
    if (verb.name == name) return verb.example;
    for (const Verb& part : verb.parts)
      if (verb.name + " " + part.name == name) return part.example;
  }
  return "prehend demo";
}

int refuse(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words,
           const std::vector<Verb>& verbs) {
  // The parser may have stopped before it saw --json.
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  const std::string verb = full_name(app);
  const std::string message = spelling_mistake(words, verbs).value_or(complaint(error, verb, verbs));
  const std::string example =
      message.ends_with("is required") ? ", as in: " + runnable_example(example_of(verb, verbs)) : "";
  const std::string advice = example + (message.ends_with('?') ? " See" : "; see") + " prehend " +
                             (verb.empty() ? "" : verb + " ") + "--help";
  return print_failure(verb, json,
                       {ExitCode::bad_input, "bad_usage", message, "prehend: error: " + message + advice});
}

int run(int argc, char** argv) {
  CLI::App app("Prehend: physical understanding for robots that handle things.", "prehend");
  app.require_subcommand(1);
  app.fallthrough();
  app.set_version_flag("--version", PREHEND_VERSION);
  Shared shared;
  add_shared_options(app, shared);
  const std::vector<Verb> verbs = all_verbs();
  std::deque<Cli11Arguments> arguments;
  for (const Verb& verb : verbs) {
    CLI::App* command = add_command(app, verb, arguments);
    if (!verb.parts.empty()) command->require_subcommand(1);
    for (const Verb& part : verb.parts) add_command(*command, part, arguments);
  }
  app.footer(kExitCodes);  // after the verbs, which would inherit it beside their own
  const std::vector<std::string> words =
      with_help_as_option(with_joined_points(with_plain_numbers(argc, argv)));
  try {
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    app.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::ParseError& error) {
    // --help, --version; help on a verb that there is not is none.
    if (error.get_exit_code() == 0 && !spelling_mistake({words.begin() + 1, words.end()}, verbs))
      return app.exit(error);
    return refuse(app, error, {words.begin() + 1, words.end()}, verbs);
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
