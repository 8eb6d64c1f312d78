#include "declared_options.h"

#include <algorithm>
#include <cctype>

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

bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

// "noise.position", "normal_W" -> "--noise", "--normal"; the field itself where no option is called so.
std::string option_of(const std::string& field, const std::vector<DeclaredOption>& options) {
  for (std::string name : {field, field.substr(0, field.find('.')), field.substr(field.rfind('.') + 1)}) {
    if (name.ends_with("_W")) name.resize(name.size() - 2);
    std::replace_if(name.begin(), name.end(), [](char c) { return c == '_' || c == '.'; }, '-');
    name = "--" + name;
    if (std::any_of(options.begin(), options.end(), [&](const DeclaredOption& o) { return o.name == name; }))
      return name;
  }
  return field;
}

}  // namespace

std::string in_words_of_the_command_line(std::string message, const std::vector<DeclaredOption>& options) {
  constexpr std::string_view kOwner = "Options::";
  for (std::size_t at = 0; (at = message.find(kOwner, at)) != std::string::npos;) {
    std::size_t begin = at, end = at + kOwner.size();
    while (begin > 0 && is_in_name(message[begin - 1])) --begin;
    while (end < message.size() && is_in_name(message[end])) ++end;
    const std::string words =
        option_of(message.substr(at + kOwner.size(), end - at - kOwner.size()), options);
    message.replace(begin, end - begin, words);
    at = begin + words.size();
  }
  return message;
}

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
