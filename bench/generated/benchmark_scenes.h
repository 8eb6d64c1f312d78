// Scenes for comparing methods, built in code: those of source N's figures 4.12, 4.16 and 4.17, and walls and piles of
// any number of blocks.
//
// The source gives neither sizes nor masses; these are ours. Metres, kilograms; the floor's top is z = 0, gravity
// (0, 0, -9.81). Friction is one coefficient per scene.
#pragma once

#include <cstdint>

#include <prehend/model/scene.h>

namespace prehend::stability {

// Fig. 4.12, left: one cube on a floor.
struct CubeScene {
  double side{0.1};      // [m]
  double mass{0.5};      // [kg] of each cube
  double friction{0.7};  // pushes near the top topple, lower ones slide or turn it
};
model::Scene cube_scene(const CubeScene& sizes = {});
// Fig. 4.12, middle: `count` such cubes, one on the other; "cube1" is the lowest.
model::Scene cube_stack_scene(int count = 3, const CubeScene& sizes = {});

// Fig. 4.12, right: a slab on two legs, overhanging a little along x and nowhere along y; each leg a box.
struct TableScene {
  Eigen::Vector3d slab{0.4, 0.2, 0.04};  // [m]
  Eigen::Vector3d leg{0.10, 0.2, 0.16};  // [m] stout: slender ones sway, which the graph method does not see
  double leg_offset{0.13};               // [m] of each leg's middle from the slab's, along x
  double slab_mass{1.0}, leg_mass{0.5};  // [kg]
  double friction{0.5};
};
model::Scene table_scene(const TableScene& sizes = {});

// A wall in running bond: courses of bricks 0.2 x 0.1 x 0.1 m, 2 kg, shifted by half a brick, half bricks at the ends;
// friction 0.6; 1 mm between neighbours of one course, which do not touch. Exactly `blocks` blocks, in courses of
// about the square root of it; the last course may be incomplete.
model::Scene wall_scene(int blocks);
// A pyramid of such bricks, three tenths of a brick apart, each shifted by up to 15 mm and turned by up to 4 degrees at
// random. Exactly `blocks` blocks, filled from below.
model::Scene pile_scene(int blocks, std::uint64_t seed = 0);

// Fig. 4.16: a cube of 0.1 m and 0.5 kg on a slant of 2 kg that rises by 1 in 2 along +y and itself stands free on the
// tray; with `blocks` 2 there is another block against it, downhill, half as long again; friction 1.2 everywhere. By
// hand, for accelerations of the tray (g = 9.81):
//   -y: all slide together at 1.2 g = 11.77 m/s^2 (source: 11.8);
//   +y, the cube alone: it topples when the apparent gravity is 45 deg off the slope's normal, at g tan(45 deg - atan 1/2) =
//       g / 3 = 3.27 m/s^2 (source: 3.27);
//   +y, with the block: both slide, at g tan(atan 1.2 - atan 1/2) = 4.29 m/s^2, 31 % more (source: 30 %);
//   +-x: all tip sideways over the slant's side, the sooner the higher the common centre of mass is.
// The source adds a second cube. Two equal cubes in a row hold up to 4.29 as well by statics, but a cube alone would
// topple: they need to be wedged against each other, and in the physics engine they topple at 3.66. The longer block
// stands by itself.
model::Scene slant_scene(int blocks);

// Fig. 4.17: a plank B across a post A, a block D near the middle and a block C far out on the other side. C comes off
// first (without D it would tip the plank), then D, B, A.
model::Scene disassembly_scene();

}  // namespace prehend::stability
