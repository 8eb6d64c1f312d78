#include "declared_options.h"

#include <algorithm>

namespace prehend::cli {
namespace {

// Listens to a verb's declaration and remembers what was declared.
class RecordedArguments : public Arguments {
 public:
  std::vector<DeclaredOption> options;

  void positional(const std::string&, std::string&, const std::string&) override {}
  void optional(const std::string&, std::string&, const std::string&) override {}
  void flag(const std::string& name, bool&, const std::string& help) override {
    options.push_back({name, help, false});
  }
  void option(const std::string& name, std::string&, const std::string& help) override { add(name, help); }
  void option(const std::string& name, double&, const std::string& help) override { add(name, help); }
  void option(const std::string& name, int&, const std::string& help) override { add(name, help); }
  void option(const std::string& name, std::vector<std::string>&, const std::string& help) override {
    add(name, help);
  }
  void words(const std::string& name, const std::string&, std::vector<std::string>&,
             const std::string& help) override {
    add(name, help);
  }
  void repeated_words(const std::string& name, const std::string&, std::vector<std::string>&,
             const std::string& help) override {
    add(name, help);
  }

 private:
  void add(const std::string& name, const std::string& help) { options.push_back({name, help, true}); }
};

void add_declared(const Verb& verb, std::vector<DeclaredOption>& options) {
  RecordedArguments recorded;
  if (verb.declare) verb.declare(recorded);
  for (const DeclaredOption& option : recorded.options) {
    const auto same = [&option](const DeclaredOption& known) { return known.name == option.name; };
    if (std::none_of(options.begin(), options.end(), same)) options.push_back(option);
  }
}

}  // namespace

std::vector<DeclaredOption> declared_options(const Verb& verb) {
  std::vector<DeclaredOption> options;
  add_declared(verb, options);
  for (const Verb& part : verb.parts) add_declared(part, options);
  options.insert(options.end(), {{"--json", "Print one JSON document", false},
                                 {"--quiet", "No messages on standard error", false},
                                 {"--out", "Folder for report and artefacts", true},
                                 {"--seed", "Seed of all random numbers", true},
                                 {"--threads", "Threads", true},
                                 {"--help", "Show help", false}});
  return options;
}

}  // namespace prehend::cli
