// A drawing as SVG: plain paths inside the viewBox, one of class `strand` per visible strand, in rope order, interrupted where
// they pass under; a dot of class `selected-end` on the end that the code is read from.
#pragma once

#include <string>

#include <prehend/knot/curve/rope_curve.h>

namespace prehend::knot {

struct SvgStyle {
  double line_width{0.02};  // relative to the longer side
  bool crossing_numbers{false};
};

struct SvgPicture {
  std::string elements;  // strands, dot and numbers
  Eigen::Vector2d size;  // of the viewBox that they lie in
};
SvgPicture to_svg(const RopeCurve& curve, const PData& data, const SvgStyle& style);
// The whole picture, and what it is called: "A rope with 3 crossings".
std::string svg_text(const SvgPicture& picture, const PData& data);
std::string svg_title(const PData& data);

}  // namespace prehend::knot
