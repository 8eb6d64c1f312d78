#include <array>

#include <prehend/report/colour.h>

namespace prehend::report {

Colour colour_from_hex(unsigned rgb) {
  return {(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0};
}

Colour palette_colour(std::size_t index) {
  // Chosen after Okabe and Ito's set, softened so that large surfaces stay quiet.
  constexpr std::array<unsigned, 8> kPalette{0x4c8fc4, 0xe39b3b, 0x3fa58a, 0xc77fae,
                                             0x7a86d0, 0xcf6a4a, 0x87b8d9, 0xc9b458};
  return colour_from_hex(kPalette[index % kPalette.size()]);
}

}  // namespace prehend::report
