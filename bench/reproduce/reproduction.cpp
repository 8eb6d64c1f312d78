#include "reproduction.h"

#include <stdexcept>

#include <prehend/math/house/option_check.h>

namespace prehend::reproduce {

void ReproduceOptions::validate() const {
  const math::OptionCheck check("ReproduceOptions");
  check.at_least("runs", runs, 1);
  check.at_least("points", points, 10);
  check.at_least("threads", threads, 0);
}

std::span<const Entry> entries() {
  static constexpr Entry kEntries[] = {
      {"table-3.3", "A modular object after 1.5 s, eight weight configurations (Nadeau 2026)", table_3_3},
      {"table-3.5", "Parts of workshop tools with and without initial clustering (Nadeau 2026)", table_3_5},
      {"table-3.6", "Parts of workshop tools against their truth (Nadeau 2026)", table_3_6},
      {"table-3.8", "Workshop tools identified under four levels of noise (Nadeau 2026)", table_3_8},
      {"fig-3.4", "Point masses: how many are enough (Nadeau 2026)", figure_3_4},
      {"fig-3.5", "Figure 3.5 of Nadeau 2026 (point masses) and of Takamatsu 2004 (seven grasps)",
       figure_3_5_both},
      {"fig-3.5-grasps", "Seven grasps to second order (Takamatsu 2004, figure 3.5)", figure_3_5_grasps},
      {"fig-3.6", "Inertia error by speed and noise (Nadeau 2026)", figure_3_6},
      {"fig-3.7", "Figure 3.7 of Nadeau 2026 (inertia over time) and of Takamatsu 2004 (edge-face guess)",
       figure_3_7_both},
      {"fig-3.7-guess", "Initial guess that keeps an edge on a face (Takamatsu 2004, figure 3.7)",
       figure_3_7_guess},
      {"fig-3.8", "Initial guess that keeps a vertex on a face (Takamatsu 2004)", figure_3_8},
      {"table-4.1", "Robustness of three assemblies: error and time of all methods (Nadeau 2026)", table_4_1},
      {"fig-4.16", "Maximal sustainable acceleration of cubes on a slant (Nadeau 2026)", figure_4_16},
      {"fig-4.17", "Disassembly of four objects (Nadeau 2026)", figure_4_17},
      {"table-4.2", "Placement guided by the exact and by the isolated robustness, six scenes (Nadeau 2026)",
       table_4_2},
      {"table-4.3", "The same on a slant, a balance and a cantilever (Nadeau 2026)", table_4_3},
      {"table-5.1", "Placement planners on six scenes (Nadeau 2026)", table_5_1},
      {"table-5.3", "Time of an iteration of algorithm 5 (Nadeau 2026)", table_5_3},
      {"fig-5.12", "Planning time by the vertices of the object (Nadeau 2026)", figure_5_12},
      {"fig-2.22", "The peg insertion: states and transitions, exact and recorded (Takamatsu 2004)",
       figure_2_22},
      {"fig-2.23", "The peg insertion: freedoms, sub-skills, the critical transition (Takamatsu 2004)",
       figure_2_23},
      {"table-2.1", "Noisy poses brought back to a contact relation by three corrections (Takamatsu 2004)",
       table_2_1},
      {"fig-A.6", "Trajectories through all states of the peg (Takamatsu 2004)", figure_a_6},
      {"fig-A.7", "The fifth transition, recorded and planned (Takamatsu 2004)", figure_a_7},
      {"fig-A.10", "The first two transitions from a start that is not aligned (Takamatsu 2004)",
       figure_a_10},
      {"fig-A.16", "The peg insertion executed with errors of the hole's pose (Takamatsu 2004)", figure_a_16},
      {"fig-A.17", "Forces from the first contact to the rim (Takamatsu 2004)", figure_a_17},
      {"fig-A.18", "Forces of the critical transition (Takamatsu 2004)", figure_a_18},
      {"tables-4.1-4.4", "Joints of known type from noisy poses (Takamatsu 2004)", tables_4_1_to_4_4},
      {"tracks", "Recorded doors and drawers, as they are and disturbed", tracks},
      {"fig-5",
       "Figure 5 of Burka and Lee, of Tirupachuri et al. and of Bolotnikova et al., one after the other",
       figure_5},
      {"fig-5-discovery",
       "Tree and types of random objects against noise and inflation (Burka and Lee, figure 5)",
       figure_5_discovery},
      {"fig-4", "Hypothesis errors of a revolute object in the hands (Tirupachuri et al.)",
       figure_4_topology},
      {"fig-5-topology",
       "Hypothesis errors of a prismatic object in the hands (Tirupachuri et al., figure 5)",
       figure_5_topology},
      {"fig-5.16", "P-data to a drawing and back (Takamatsu 2004)", figure_5_16},
      {"fig-5.17", "The bowline, frame by frame, with every move that fits (Takamatsu 2004)", figure_5_17},
      {"fig-5.18", "The bowline with wrongly chosen ends (Takamatsu 2004)", figure_5_18},
      {"fig-5.19", "The bow with three Reidemeister II moves (Takamatsu 2004)", figure_5_19},
      {"fig-5-assist", "Navigation errors on the way to a person (Bolotnikova et al. 2020, figure 5)",
       figure_5_assist},
      {"fig-7-assist",
       "Face to tablet while the robot says what it will do (Bolotnikova et al. 2020, figure 7)",
       figure_7_assist},
      {"fig-8", "Residual of the left arm: the hand on the shoulder (Bolotnikova et al. 2020)", figure_8},
      {"fig-9", "Residual of the right arm: the hand that is given (Bolotnikova et al. 2020)", figure_9},
#ifdef PREHEND_WITH_OPENCV
      {"fig-7",
       "Figure 7 of Burka and Lee (angle of one joint through a virtual camera) and of Bolotnikova et al. "
       "2020",
       figure_7},
      {"films", "From film to joints: tree and types of filmed objects", films},
#endif
  };
  return kEntries;
}

const Entry& entry(const std::string& id) {
  std::string names;
  for (const Entry& candidate : entries()) {
    if (id == candidate.id) return candidate;
    names += (names.empty() ? "" : ", ") + std::string(candidate.id);
  }
  throw std::invalid_argument("nothing called '" + id + "' can be reproduced; there are: " + names);
}

}  // namespace prehend::reproduce
