// Workshop tools of boxes and round bars with known parts: points on their surface, colours, labels and volume.
//
// Thirteen kinds (screwdriver, hammer, pliers, wrench, clamp, caliper, key, ruler, saw, socket, mallet, vise, anything), sizes and
// colours by seed; and five kinds with slits of 0.3 to 1 spacing of the points (fork, closed vise, closed pliers, channel, sleeve). Parts may share a colour, and a part may have two: what is painted is no proof.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace prehend::generated {

struct GeneratedTool {
  std::string name;
  std::vector<Eigen::Vector3d> points;   // [m] on the surface of the union, uniform by area
  std::vector<Eigen::Vector3d> colours;  // in [0, 1]
  std::vector<int> labels;
  int parts{0};
  double volume{0.0};  // [m^3] of the union, by 100 000 points of its box: good to about 1 %
};

inline constexpr int kToolKinds = 13;
inline constexpr int kSlitKinds = 5;  // those with slits, after them
// With `keeps_hidden` also points of each box and bar inside others, as of an assembly that was sampled part by part.
GeneratedTool generated_tool(int kind, std::uint64_t seed, int points = 2000, bool keeps_hidden = false);

}  // namespace prehend::generated
