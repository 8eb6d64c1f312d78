// One picture: 8-bit grey levels by row. The centre of the first pixel is at (0, 0), as in OpenCV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace prehend::articulation {

struct GreyImage {
  int width{0}, height{0};
  std::vector<std::uint8_t> pixels;

  std::uint8_t at(int x, int y) const {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

}  // namespace prehend::articulation
