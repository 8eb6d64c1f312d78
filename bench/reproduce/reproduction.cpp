#include "reproduction.h"

#include <stdexcept>

#include <prehend/math/option_check.h>

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
      {"fig-3.5", "Point masses: when the full model takes over (Nadeau 2026)", figure_3_5},
      {"fig-3.6", "Inertia error by speed and noise (Nadeau 2026)", figure_3_6},
      {"fig-3.7", "Inertia error over time (Nadeau 2026)", figure_3_7},
      {"table-4.1", "Robustness of three assemblies: error and time of all methods (Nadeau 2026)", table_4_1},
      {"fig-4.16", "Maximal sustainable acceleration of cubes on a slant (Nadeau 2026)", figure_4_16},
      {"fig-4.17", "Disassembly of four objects (Nadeau 2026)", figure_4_17},
      {"table-4.2", "Placement guided by the exact and by the isolated robustness, six scenes (Nadeau 2026)", table_4_2},
      {"table-4.3", "The same on a slant, a balance and a cantilever (Nadeau 2026)", table_4_3},
      {"table-5.1", "Placement planners on six scenes (Nadeau 2026)", table_5_1},
      {"tables-4.1-4.4", "Joints of known type from noisy poses (Takamatsu 2004)", tables_4_1_to_4_4},
      {"tracks", "Recorded doors and drawers, as they are and disturbed", tracks},
      {"fig-5", "Figure 5 of Burka and Lee and figure 5 of Tirupachuri et al., one after the other",
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
#ifdef PREHEND_WITH_OPENCV
      {"fig-7", "Commanded and detected angle of one joint, through a virtual camera (Burka and Lee)",
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
