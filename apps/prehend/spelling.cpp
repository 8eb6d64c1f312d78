#include "spelling.h"

#include <algorithm>
#include <cctype>

#include "declared_options.h"

namespace prehend::cli {
namespace {

// Damerau and Levenshtein's distance, in which no letter is moved twice.
std::size_t typing_mistakes(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min(
          {cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

std::string sentence(const std::string& what, const std::string& word, const std::string& where,
                     const std::vector<std::string>& choices) {
  const std::string nearest = nearest_word(word, choices);
  return "unknown " + what + " '" + word + "'" + (where.empty() ? "" : " of " + where) +
         (nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
}

bool is_option(const std::string& word) {
  const std::size_t dashes = word.find_first_not_of('-');
  return (dashes == 1 || dashes == 2) && std::isalpha(static_cast<unsigned char>(word[dashes]));
}

std::vector<std::string> names(const std::vector<Verb>& verbs) {
  std::vector<std::string> list;
  for (const Verb& verb : verbs) list.push_back(verb.name);
  return list;
}

std::vector<std::string> names(const std::vector<DeclaredOption>& options) {
  std::vector<std::string> list;
  for (const DeclaredOption& option : options) list.push_back(option.name);
  return list;
}

// Position of the next word that is neither an option that every verb has nor its value.
std::size_t next_name(const std::vector<std::string>& words, std::size_t at) {
  const std::vector<DeclaredOption> shared = declared_options(Verb{});
  while (at < words.size() && is_option(words[at])) {
    const auto known = std::find_if(shared.begin(), shared.end(),
                                    [&](const DeclaredOption& option) { return option.name == words[at]; });
    at += known != shared.end() && known->takes_value ? 2 : 1;
  }
  return at;
}

}  // namespace

std::string nearest_word(const std::string& word, const std::vector<std::string>& choices) {
  std::string nearest;
  std::size_t fewest = 1 + word.size() / 4;  // one mistake in short words, three in 'simulate-object'
  for (const std::string& choice : choices) {
    const bool begins =
        word.find_first_not_of('-') != std::string::npos && word.size() > 3 && choice.starts_with(word);
    const std::size_t mistakes = begins ? 1 : typing_mistakes(word, choice);
    if (mistakes > fewest || (mistakes == fewest && !nearest.empty())) continue;
    fewest = mistakes;
    nearest = choice;
  }
  return nearest;
}

std::optional<std::string> spelling_mistake(const std::vector<std::string>& words,
                                            const std::vector<Verb>& verbs) {
  const std::vector<Verb>* known = &verbs;
  const Verb* verb = nullptr;
  std::string name;
  for (std::size_t at = 0; !known->empty(); ++at) {
    at = next_name(words, at);
    if (at >= words.size()) break;
    const auto found =
        std::find_if(known->begin(), known->end(), [&](const Verb& one) { return one.name == words[at]; });
    if (found == known->end()) return sentence("verb", words[at], name, names(*known));
    verb = &*found;
    name += (name.empty() ? "" : " ") + verb->name;
    known = &verb->parts;
  }
  const std::vector<std::string> options = names(declared_options(verb != nullptr ? *verb : Verb{}));
  for (const std::string& word : words) {
    const std::string option = word.substr(0, word.find('='));
    if (!is_option(option) || option == "-h" || option == "--version") continue;
    if (std::find(options.begin(), options.end(), option) == options.end())
      return sentence("option", option, name, options);
  }
  return std::nullopt;
}

}  // namespace prehend::cli
