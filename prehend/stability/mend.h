// The nearest scene that neither overlaps nor floats: poses from a camera, or from CAD with tolerances, made consistent.
//
// Poses of movable bodies are measured with a stated noise; shapes and fixed bodies are exact. Near features (faces, edges, corners, balls,
// cans) are hypotheses of contact. One that explains the poses better than chance closes, in the order of its evidence, in units of
// what the noise and the contacts closed before leave open; one that would drive two bodies into each other does not. The poses are then
// the least motion, weighted by the noise, that closes all of them. Where the statics say that a body falls, the nearest contact that
// stops it closes as well. docs/mending.md has the rules.
//
// Assumptions: noise independent between bodies, per axis, about the centre of mass. Cost: some 10 ms for 20 boxes.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <prehend/geometry/contact_patch.h>
#include <prehend/model/scene.h>

namespace prehend::stability {

// Standard deviations per axis.
struct PoseNoise {
  double position{1e-3};  // [m]
  double angle{8.7e-3};   // [rad] half a degree
};

struct MendOptions {
  // Without: the one of a few scales (0.1 to 3 mm with 0.06 to 1 degree) that explains the scene best.
  std::optional<PoseNoise> noise;
  // [m] A centre of mass that would have to move more is not mended but named. 20 mm: six times the noise of the coarsest scale.
  double most{0.02};
  // What counts as touching before and after.
  geometry::ContactOptions contact;

  void validate() const;
};

enum class MendStatus {
  not_computed,
  ok,      // no overlap beyond 1e-6 m, nothing floats, nothing moved more than `most`
  failed,  // `problems` say why; `scene` is the best found
};
const char* to_string(MendStatus status);

struct MendedBody {
  model::BodyIndex body;
  double moved{0.0};   // [m] of its centre of mass
  double turned{0.0};  // [rad]
};

struct MendResult {
  MendStatus status{MendStatus::not_computed};
  model::Scene scene;  // with the new poses
  PoseNoise noise;     // given or found
  bool noise_was_given{false};
  std::vector<MendedBody> bodies;  // the movable ones, by index
  // Pairs that touch now and did not before; pairs that overlapped before, by more than the tolerance.
  std::vector<std::pair<model::BodyIndex, model::BodyIndex>> closed, opened;
  double deepest_before{0.0}, deepest_after{0.0};  // [m] overlap of any two bodies
  bool holds{false};                               // by the statics, as it now stands
  std::vector<std::string> problems;
  std::vector<std::string> body_names;  // of the scene, by model::BodyIndex

  std::string counts_text() const;  // "1 contact closed, 2 overlaps opened"
  std::string brief_report() const;
  // {"status","noise":{position_m,angle_rad,given},"bodies":[{name,moved_m,turned_rad,X_WB}],"closed":[[a,b]],"opened":[[a,b]],
  //  "overlap_m":{before,after},"holds","problems":[]}
  std::string to_json() const;
};

MendResult mend(const model::Scene& scene, const MendOptions& options = {});

}  // namespace prehend::stability
