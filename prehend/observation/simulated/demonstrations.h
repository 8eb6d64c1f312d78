// Demonstrations whose contact states are known: bodies of random sizes, moved on paths that keep each state exactly.
//
//   peg     a tight peg into a groove, by its lower edge: the eight states of Takamatsu 2004, figure 2.23
//   corner  a block onto a floor, against a wall, into the corner
//   roll    a block put down on a corner, rolled onto an edge, then onto a face
//   hook    a hook laid over a wall and pulled against it
//   stack   a block onto an equal block, then pushed flush with it
//   jam     a loose peg along one wall of a groove, tilted until it jams
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <prehend/geometry/mesh.h>
#include <prehend/observation/recording.h>

namespace prehend::observation {

enum class DemonstrationKind { peg, corner, roll, hook, stack, jam };
const char* to_string(DemonstrationKind kind);

struct Demonstration {
  DemonstrationKind kind{DemonstrationKind::peg};
  geometry::TriangleMesh moving, fixed;
  std::vector<double> t_s;         // at 30 Hz
  std::vector<math::Pose> X_FM;    // exact
  std::vector<int> states;         // by frame
  std::vector<std::string> numbers;  // of each state, counted by hand: MotionFreedom::eight_numbers()
};

// Each state takes between `frames` and twice as many.
Demonstration demonstrate(DemonstrationKind kind, std::uint64_t seed, int frames = 12);
// As a tracker sees it: normal noise per axis on the moving body's position and orientation.
Recording seen(const Demonstration& demonstration, const TrackNoise& noise, std::uint64_t seed);

// Cells of a grid with the given planes put together; `is_solid` by cell.
geometry::TriangleMesh solid_of_cells(const std::vector<double>& x, const std::vector<double>& y,
                                      const std::vector<double>& z, bool (*is_solid)(int i, int j, int k));

}  // namespace prehend::observation
