// The options of `place`: what is asked of a placement, and of the object's file.
#pragma once

#include <string>
#include <vector>

#include "verb.h"
#include <prehend/placement/placement_options.h>

namespace prehend::cli {

struct PlaceArguments {
  StabilityArguments stability;
  std::string object, mass, upright, grasps, planner{"auto"}, unit{"m"}, objective{"robust"};
  std::vector<std::string> touch, region, keep_out, approach;
  placement::PlacementOptions wanted;  // what needs no reading

  void declare(Arguments& arguments);
  // Throws UsageError naming the option.
  placement::PlacementOptions options(const Shared& shared) const;
};

}  // namespace prehend::cli
