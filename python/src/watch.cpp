// prehend.observation: what a person assembled, from two meshes and tracked poses.
#include <optional>
#include <stdexcept>
#include <utility>

#include "bindings.h"
#include <prehend/math/enum_text.h>
#include <prehend/model/pose_log.h>
#include <prehend/observation/watch.h>

namespace prehend::python {
namespace {

using observation::Watched;
using observation::WatchedFrame;
using observation::WatchedState;

void bind_states(nb::module_& m) {
  nb::class_<WatchedState>(m, "WatchedState", "A contact state of a demonstration.")
      .def_ro("t0", &WatchedState::t0_s, "[s] first frame")
      .def_ro("t1", &WatchedState::t1_s, "[s] last frame")
      .def_ro("inferred", &WatchedState::inferred, "passed between two frames")
      .def_prop_ro(
          "contacts",
          [](const WatchedState& state) {
            std::vector<std::string> types;
            for (const observation::WatchedContact& contact : state.contacts) types.push_back(contact.features.type());
            return texts(types);
          },
          "feature of the moving part, then of the fixed one: edge-face")
      .def_ro("relation", &WatchedState::freedom, "motions that the contacts allow")
      .def_prop_ro(
          "numbers", [](const WatchedState& state) { return text(state.freedom.eight_numbers()); },
          "maintaining, detaching, constraining in translation and rotation; restricted in both")
      .def_ro("X_FM", &WatchedState::X_FM, "a pose that shows it, in the fixed part's frame")
      .def_ro("margin", &WatchedState::margin, "[nats] of the sequence over the best one without this state")
      .def_prop_ro(
          "doubt", [](const WatchedState& state) { return text(state.doubt); }, "why it may be another state; empty if nothing speaks for that");
  nb::class_<WatchedFrame>(m, "WatchedFrame", "A frame, corrected.")
      .def_ro("t", &WatchedFrame::t_s, "[s]")
      .def_ro("state", &WatchedFrame::state, "index into states; -1: none")
      .def_ro("moved", &WatchedFrame::moved_m, "[m]")
      .def_ro("turned", &WatchedFrame::turned_rad, "[rad]")
      .def_ro("X_FM", &WatchedFrame::X_FM, "corrected")
      .def_ro("X_FM_seen", &WatchedFrame::X_FM_seen);
}

Watched watch_log(const geometry::TriangleMesh& moving, const geometry::TriangleMesh& fixed, const model::PoseLog& log,
                  const std::string& moving_part, const std::string& fixed_part,
                  const std::optional<std::pair<double, double>>& noise, const std::string& method, int plan) {
  observation::WatchOptions options;
  const auto known = from_string<observation::WatchMethod>(method);
  if (!known)
    throw std::invalid_argument("method is '" + method + "'; it must be " + enum_choices<observation::WatchMethod>());
  options.method = *known;
  options.plan = plan;
  if (noise) options.noise = observation::TrackNoise{noise->first, noise->second};
  const observation::BodyPair pair(geometry::Polyhedron::from_mesh(moving), geometry::Polyhedron::from_mesh(fixed));
  return observation::watch(pair, observation::recording_of(log, "poses", moving_part, fixed_part), options);
}

}  // namespace

void bind_watch(nb::module_& m) {
  bind_states(m);
  auto result = nb::class_<Watched>(m, "Watched", "What a person assembled.");
  result.def_prop_ro("status", [](const Watched& w) { return to_string(w.status); })
      .def_prop_ro("method", [](const Watched& w) { return to_string(w.method); })
      .def_prop_ro(
          "noise", [](const Watched& w) { return std::pair(w.noise.position, w.noise.angle); }, "[m], [rad] per axis")
      .def_prop_ro(
          "noise_axes",
          [](const Watched& w) {
            using Axes = std::vector<Eigen::Vector3d>;
            return w.noise_axes ? std::optional<std::pair<Axes, Axes>>({w.noise_axes->position_W, w.noise_axes->angle_W})
                                : std::nullopt;
          },
          "where the noise differs by direction: its principal axes in the tracker's frame, as long as the standard deviations [m], [rad]; or None")
      .def_ro("states", &Watched::states)
      .def_ro("frames", &Watched::frames)
      .def_prop_ro(
          "skills",
          [](const Watched& w) {
            std::vector<std::string> lines;
            for (const observation::WatchedTransition& step : w.transitions) lines.push_back(step.skills.text());
            return texts(lines);
          },
          "sub-skills of each transition, as text")
      .def_ro("critical", &Watched::critical, "transitions that a robot's errors would prevent")
      .def_prop_ro(
          "trajectories",
          [](const Watched& w) {
            std::vector<std::vector<math::Pose>> paths;
            for (const observation::WatchedTrajectory& path : w.trajectories) paths.push_back(path.X_FM);
            return paths;
          },
          "poses between each two states, with `plan`")
      .def_prop_ro(
          "offset",
          [](const Watched& w) {
            using Pair = std::pair<Eigen::Vector3d, Eigen::Vector3d>;
            return w.offset ? std::optional<Pair>(Pair{w.offset->shift_M, w.offset->turn_M}) : std::nullopt;
          },
          "constant error of the moving part's track that was taken out, in its axes: shift [m], turn [rad]; None if contacts show none")
      .def_prop_ro("doubts", [](const Watched& w) { return texts(w.doubts); }, "about the whole sequence")
      .def_prop_ro("notes", [](const Watched& w) { return texts(w.notes); })
      .def("brief_report", [](const Watched& w) { return text(w.brief_report()); })
      .def(
          "to_json", [](const Watched& w) { return text(w.to_json()); }, "As the command line prints it with --json.");
  def_result(result);
  m.def("watch", &watch_log, "moving"_a, "fixed"_a, "log"_a, nb::kw_only(), "moving_part"_a, "fixed_part"_a,
        "noise"_a = nb::none(), "method"_a = "least", "plan"_a = 0, Released(),
        R"(Contact states, sub-skills and corrected poses of a demonstration. Meshes must be closed; `noise`: standard deviations
per axis [m], [rad], estimated when absent; `plan`: poses of a trajectory between each two states.

>>> import prehend
>>> from prehend.observation import watch
>>> block = prehend.geometry.make_box([0.04, 0.04, 0.04])
>>> poses = [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0.1, 1, 0, 0, 0]] * 2
>>> log = prehend.model.PoseLog(t=[0, 0, 1, 1], poses=poses, part=[0, 1, 0, 1], parts=["a", "b"])
>>> [state.numbers for state in watch(block, block, log, moving_part="b", fixed_part="a").states]
['300 300 00']
)");
}

}  // namespace prehend::python
