// Strong indices: a BodyIndex cannot be passed where a ContactIndex is wanted.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>

namespace prehend::math {

// An index into some array, typed by a tag:  `using BodyIndex = math::Index<struct BodyTag>;`
// A default-constructed index is invalid; using it as a subscript is a defect of the caller.
template <class Tag>
class Index {
 public:
  constexpr Index() = default;
  constexpr explicit Index(std::size_t value) : value_(static_cast<int>(value)) {}
  constexpr explicit Index(int value) : value_(value) {}

  constexpr bool is_valid() const { return value_ >= 0; }
  constexpr int value() const { return value_; }
  // Implicit, so that `bodies[index]` reads as usual; the way in stays explicit.
  constexpr operator std::size_t() const { return static_cast<std::size_t>(value_); }

  constexpr Index& operator++() {
    ++value_;
    return *this;
  }
  constexpr friend bool operator==(Index a, Index b) { return a.value_ == b.value_; }
  constexpr friend std::strong_ordering operator<=>(Index a, Index b) { return a.value_ <=> b.value_; }
  // Comparing or mixing indices of different kinds does not compile.
  template <class Other>
  friend bool operator==(Index, Index<Other>) = delete;

 private:
  int value_{-1};
};

}  // namespace prehend::math

template <class Tag>
struct std::hash<prehend::math::Index<Tag>> {
  std::size_t operator()(prehend::math::Index<Tag> index) const noexcept {
    return std::hash<int>{}(index.value());
  }
};
