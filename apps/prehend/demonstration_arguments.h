// The arguments of every verb that reads a demonstration: two meshes and tracked poses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verb.h"
#include <prehend/observation/recording.h>
#include <prehend/observation/watch.h>

namespace prehend::cli {

struct DemonstrationArguments {
  std::string moving, fixed, poses;
  std::vector<std::string> with;
  double mesh_scale{1.0};
  std::vector<std::string> noise;  // two words, or none

  void declare(Arguments& arguments);
  std::optional<observation::TrackNoise> given_noise() const;
  observation::BodyPair pair() const;
  observation::Recording recording() const;
};

// Two words, a length [m] and an angle [rad]; zeros where there are none.
std::pair<double, double> length_and_angle(const std::string& option, const std::vector<std::string>& words);

}  // namespace prehend::cli
