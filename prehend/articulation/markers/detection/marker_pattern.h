// The black and white cells of a square marker, by dictionary and number (ArUco's predefined dictionaries, AprilTag's among them).
//
// Marker frame M: origin in the middle of the black square, x to its right, y up, z out of the paper. `size` is the side of the
// black square, without the white margin.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace prehend::articulation {

struct MarkerPattern {
  int cells{0};             // per side, with the black border
  std::vector<bool> white;  // by row from the top
};

// "4x4_50", "5x5_100", ..., "original", "apriltag_36h11".
// Throws std::invalid_argument that lists the names where it is none of them.
void require_dictionary(const std::string& name);
int dictionary_size(const std::string& dictionary);
MarkerPattern marker_pattern(const std::string& dictionary, int id);

// Corners of the black square in M [m]: top left, top right, bottom right, bottom left.
std::array<Eigen::Vector3d, 4> marker_corners(double size);

}  // namespace prehend::articulation
