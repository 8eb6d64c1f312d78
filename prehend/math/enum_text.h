// The text form of an enumerator is its name: `Mode::slip` is "slip" in files, JSON, tables, Python and on the command line.
//
//   to_string(Mode::slip)         each enum's own function, by enum_text(value)
//   from_string<Mode>("slip")     the enumerator of that name, none where there is none
//   enum_choices<Mode>()          "undetermined, slip, topple or lift", for messages
//
// Enumerators count from 0 without gaps, at most 32 of them. The names are read from the compiler at compile time (g++ and
// clang), so text and name cannot differ.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace prehend {
namespace enum_text_detail {

// The enumerator's name with a closing zero, empty where `kValue` is no enumerator.
template <auto kValue>
constexpr std::string_view name() {
  constexpr std::string_view function = __PRETTY_FUNCTION__;
  constexpr std::string_view key = "kValue = ";
  const std::size_t begin = function.find(key) + key.size();
  const std::string_view value = function.substr(begin, function.find_first_of(";]", begin) - begin);
  if (value.front() == '(') return {};  // (prehend::Mode)7: a number without a name
  return value.substr(value.rfind(':') + 1);
}

template <auto kValue>
struct Stored {
  static constexpr std::string_view kName = name<kValue>();
  static constexpr auto kText = [] {
    std::array<char, kName.size() + 1> text{};
    for (std::size_t i = 0; i < kName.size(); ++i) text[i] = kName[i];
    return text;
  }();
};

template <class Enum, std::size_t kCount = 0>
constexpr std::size_t count() {
  if constexpr (kCount < 32) {
    if constexpr (!name<static_cast<Enum>(kCount)>().empty()) return count<Enum, kCount + 1>();
  }
  return kCount;
}

template <class Enum, std::size_t... kIndex>
constexpr std::array<const char*, sizeof...(kIndex)> names(std::index_sequence<kIndex...>) {
  return {Stored<static_cast<Enum>(kIndex)>::kText.data()...};
}

template <class Enum>
inline constexpr auto kNames = names<Enum>(std::make_index_sequence<count<Enum>()>());

}  // namespace enum_text_detail

template <class Enum>
const char* enum_text(Enum value) {
  const auto& names = enum_text_detail::kNames<Enum>;
  const auto index = static_cast<std::size_t>(value);
  return index < names.size() ? names[index] : "";
}

template <class Enum>
std::optional<Enum> from_string(std::string_view text) {
  const auto& names = enum_text_detail::kNames<Enum>;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text == names[i]) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

// "a, b or c".
template <class Enum>
std::string enum_choices() {
  const auto& names = enum_text_detail::kNames<Enum>;
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " or ";
    text += names[i];
  }
  return text;
}

}  // namespace prehend
