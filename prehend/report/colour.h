// Colours of bodies, arrows and curves.
#pragma once

#include <cstddef>

namespace prehend::report {

// sRGB, each component in [0, 1].
struct Colour {
  double red{0.62};
  double green{0.66};
  double blue{0.71};
};

// From 0xRRGGBB, as colours are usually written down.
Colour colour_from_hex(unsigned rgb);

// A calm categorical palette that stays apart for the common kinds of colour blindness; repeats after eight.
Colour palette_colour(std::size_t index);

inline constexpr unsigned kGrey = 0x9ea8b5;         // supports, scenery
inline constexpr unsigned kForceOrange = 0xe4572e;  // forces
inline constexpr unsigned kContactGold = 0xf2b134;  // contact points

}  // namespace prehend::report
