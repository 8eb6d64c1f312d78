// The peg and the hole of Takamatsu 2004, section 2.8: shapes by the published recording, exact poses of the eight states, the recording itself.
#pragma once

#include <string>
#include <vector>

#include <prehend/observation/principal_contacts.h>
#include <prehend/observation/recording.h>

namespace prehend::reproduce {

struct PegState {
  char name;            // A to H, as figure 2.23
  const char* numbers;  // as printed there and in section 2.8.2
  const char* skills;   // of the transition to the next state
  bool critical;        // that transition
  math::Pose X_FM;
};

geometry::TriangleMesh peg_mesh();
geometry::TriangleMesh hole_mesh();
// All in one plane: the depths of both are aligned. `roll` [rad] turns the free peg out of it.
std::vector<PegState> peg_states(double roll = 0.0);

// The 41 scenes of peg_in_hole.pose.list (a pose as millimetres, axis and angle), at one scene a second. Throws model::InputError.
observation::Recording recorded_insertion(const std::string& folder);

}  // namespace prehend::reproduce
