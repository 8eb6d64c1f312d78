// Shell completion scripts for bash, zsh and fish, made from the verbs' own declarations.
#include <map>
#include <memory>

#include "declared_options.h"
#include "verb.h"
#include <prehend/model/json_writer.h>

namespace prehend::cli {
namespace {

// "read moves", for a verb that has parts.
std::string parts_of(const Verb& verb) {
  std::string names;
  for (const Verb& part : verb.parts) names += (names.empty() ? "" : " ") + part.name;
  return names;
}

// Inside single quotes of a shell.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4)
    text.replace(at, 1, "'\\''");
  return text;
}

std::string bash_script(const std::vector<Verb>& verbs) {
  std::string names, cases;
  for (const Verb& verb : verbs) {
    names += " " + verb.name;
    cases += "    " + verb.name + ") options='";
    for (const DeclaredOption& option : declared_options(verb)) cases += option.name + " ";
    cases += "'";
    if (!verb.parts.empty()) cases += " parts='" + parts_of(verb) + "'";
    cases += " ;;\n";
  }
  return "_prehend() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} options= parts=\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W '" +
         names.substr(1) +
         "' -- \"$word\"))\n"
         "    return\n"
         "  fi\n"
         "  case ${COMP_WORDS[1]} in\n" +
         cases +
         "  esac\n"
         "  if [ \"$COMP_CWORD\" -eq 2 ] && [ -n \"$parts\" ]; then\n"
         "    COMPREPLY=($(compgen -W \"$parts\" -- \"$word\"))\n"
         "  elif [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _prehend prehend\n";
}

std::string zsh_script(const std::vector<Verb>& verbs) {
  std::string names, cases;
  for (const Verb& verb : verbs) {
    names += "    '" + quoted(verb.name + ":" + verb.summary) + "'\n";
    cases += "    " + verb.name + ") _arguments";
    for (const DeclaredOption& option : declared_options(verb)) {
      std::string help = option.help;  // brackets and colons are syntax of _arguments
      for (char& c : help) c = c == '[' ? '(' : c == ']' ? ')' : c == ':' ? ',' : c;
      cases +=
          " '" + quoted(option.name + "[" + help + "]" + (option.takes_value ? ":value:_files" : "")) + "'";
    }
    if (!verb.parts.empty()) cases += " '1:what:(" + parts_of(verb) + ")'";
    cases += " '*:file:_files' ;;\n";
  }
  return "#compdef prehend\n"
         "_prehend() {\n"
         "  local -a verbs\n"
         "  verbs=(\n" +
         names +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe 'verb' verbs\n"
         "    return\n"
         "  fi\n"
         "  local verb=${words[2]}\n"
         "  shift words; (( CURRENT-- ))\n"
         "  case $verb in\n" +
         cases +
         "  esac\n"
         "}\n"
         "compdef _prehend prehend\n";
}

std::string fish_script(const std::vector<Verb>& verbs) {
  std::string script;
  for (const Verb& verb : verbs) {
    script += "complete -c prehend -n __fish_use_subcommand -f -a " + verb.name + " -d '" +
              quoted(verb.summary) + "'\n";
    if (!verb.parts.empty()) {
      script += "complete -c prehend -n '__fish_seen_subcommand_from " + verb.name + "' -f -a '" +
                parts_of(verb) + "'\n";
    }
    for (const DeclaredOption& option : declared_options(verb)) {
      script += "complete -c prehend -n '__fish_seen_subcommand_from " + verb.name + "' -l " +
                option.name.substr(2) + (option.takes_value ? " -r" : "") + " -d '" + quoted(option.help) +
                "'\n";
    }
  }
  return script;
}

}  // namespace

Verb completion_verb(const std::vector<Verb>& verbs) {
  const auto shell = std::make_shared<std::string>();
  return {
      "completion", "Print a completion script for bash, zsh or fish", "prehend completion bash",
      [shell](Arguments& arguments) { arguments.positional("SHELL", *shell, "bash, zsh or fish"); },
      [shell, verbs](const Shared&) {
        const std::map<std::string, std::string (*)(const std::vector<Verb>&)> scripts{
            {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
        const auto script = scripts.find(*shell);
        if (script == scripts.end())
          throw UsageError("no completion for '" + *shell + "'; there is bash, zsh and fish");
        Answer answer{ExitCode::answer, "ok", 0.0, "", script->second(verbs)};
        answer.document =
            model::JsonWriter().object().field("status", answer.status).field("shell", *shell).end().text();
        return answer;
      }};
}

}  // namespace prehend::cli
