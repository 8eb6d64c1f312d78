// What the figures of L, chapter 5, share.
#pragma once

#include <string>
#include <vector>

#include "reproduction.h"
#include <prehend/knot/recognition.h>

namespace prehend::reproduce {

struct KnotFigure {
  const char* id;
  const char* title;
  // What the source says about each transition ("" where nothing), as its figure is a picture.
  std::vector<std::string> source;
  std::string conclusion;  // the source's claim, and whether it holds here
  bool agrees{false};
};

Reproduction sequence_figure(const KnotFigure& figure, const knot::Recognition& recognition);

}  // namespace prehend::reproduce
