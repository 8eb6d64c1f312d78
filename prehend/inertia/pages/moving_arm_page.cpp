#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <prehend/geometry/primitives.h>
#include <prehend/inertia/pages.h>
#include <prehend/model/house/chain_sweep.h>
#include <prehend/report/scene_view.h>

namespace prehend::inertia {
namespace {

constexpr double kFrameRate = 20.0;  // [Hz] of the film
constexpr Eigen::Index kMostMovingFrames = 600;

// The joint of the chain that carries each body: the last one between it and the world; -1 for what stands still.
std::vector<int> carriers(const model::Scene& scene, const model::JointChain& chain) {
  std::vector<int> carrier(scene.bodies.size(), -1);
  std::vector<model::BodyIndex> parent(scene.bodies.size());
  for (const model::Joint& joint : scene.joints) parent[joint.child] = joint.parent;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    model::BodyIndex at(b);
    for (std::size_t steps = 0; at.is_valid() && steps <= scene.bodies.size(); ++steps, at = parent[at]) {
      for (int i = 0; i < chain.size(); ++i) {
        if (scene.joints[chain.joints[static_cast<std::size_t>(i)].joint].child == at) carrier[b] = i;
      }
      if (carrier[b] >= 0) break;
    }
  }
  return carrier;
}

std::vector<Eigen::Vector3d> path_of(const model::JointChain& chain, const Trajectory& trajectory) {
  model::ChainSweep sweep(chain);
  std::vector<Eigen::Vector3d> path;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(chain.size());
  const Eigen::Index stride = std::max<Eigen::Index>(1, trajectory.t.size() / 1000);
  for (Eigen::Index row = 0; row < trajectory.t.size(); row += stride) {
    sweep.forward(trajectory.q.row(row).transpose(), zero, zero);
    path.push_back(sweep.X_WE().p());
  }
  return path;
}

}  // namespace

report::Scene3d moving_arm(const model::Scene& scene, const model::JointChain& chain, const Excitation& plan,
                           const ExcitationOptions& options) {
  report::SceneView view = report::view_scene(scene);
  const std::vector<int> carrier = carriers(scene, chain);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    if (!view.bodies[b].is_valid()) continue;
    report::SceneBody& body = view.scene.bodies[view.bodies[b]];
    if (carrier[b] < 0) continue;
    body.backdrop = false;
    body.hover = "moves with '" + chain.joints[static_cast<std::size_t>(carrier[b])].name + "'";
    body.colour = carrier[b] % 2 == 0 ? report::Colour{0.84, 0.86, 0.89} : report::Colour{0.62, 0.68, 0.76};
  }
  model::ChainSweep sweep(chain);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(chain.size());
  sweep.forward(plan.plan.trajectory.q.row(0).transpose(), zero, zero);
  const math::Pose X_SO = math::Pose::translation(options.object.centre());
  report::SceneBody ball;
  ball.name = "room of the object";
  ball.mesh_B = geometry::make_icosphere(options.object.radius(), 3);
  ball.X_WB = sweep.X_WE() * X_SO;
  ball.colour = report::palette_colour(1);
  ball.opacity = 0.25;
  ball.hover = "every point of this ball keeps the speed limit";
  report::SceneBody cube;
  cube.name = "expected object";
  cube.mesh_B = geometry::make_box(Eigen::Vector3d::Constant(options.object.size / std::sqrt(3.0)));
  cube.X_WB = ball.X_WB;
  cube.colour = report::palette_colour(1);
  const report::BodyIndex ball_index = view.scene.add_body(std::move(ball)),
                          cube_index = view.scene.add_body(std::move(cube));

  report::Motion film;
  film.name = plan.stills.empty() ? "the planned motion" : "stop and go";
  film.playback = report::Motion::Playback::loop;
  std::vector<report::BodyTrack> tracks;
  std::vector<std::size_t> tracked;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    if (carrier[b] < 0 || !view.bodies[b].is_valid()) continue;
    tracks.push_back({view.bodies[b], {}});
    tracked.push_back(b);
  }
  report::BodyTrack ball_track{ball_index, {}}, cube_track{cube_index, {}};
  const double duration = plan.motion.duration;
  const auto frames = std::clamp<Eigen::Index>(static_cast<Eigen::Index>(std::ceil(duration * kFrameRate)), 2,
                                               kMostMovingFrames);
  JointState state;
  for (Eigen::Index frame = 0; frame <= frames; ++frame) {
    const double t = duration * static_cast<double>(frame) / static_cast<double>(frames);
    plan.motion.at(t, state);
    sweep.forward(state.q, zero, zero);
    film.times.push_back(t);
    for (std::size_t i = 0; i < tracked.size(); ++i) {
      const int joint = carrier[tracked[i]];
      const model::BodyIndex child = scene.joints[chain.joints[static_cast<std::size_t>(joint)].joint].child;
      const math::Pose X_CB = scene.bodies[child].X_WB.inverse() * scene.bodies[tracked[i]].X_WB;
      tracks[i].X_WB.push_back(sweep.X_WC(joint) * X_CB);
    }
    ball_track.X_WB.push_back(sweep.X_WE() * X_SO);
    cube_track.X_WB.push_back(sweep.X_WE() * X_SO);
  }
  film.tracks = std::move(tracks);
  film.tracks.push_back(std::move(ball_track));
  film.tracks.push_back(std::move(cube_track));

  const auto add_path = [&](const char* name, const Trajectory& trajectory, const report::Colour& colour,
                            bool visible) {
    report::Polyline line;
    line.name = name;
    line.points = path_of(chain, trajectory);
    line.colour = colour;
    line.visible = visible;
    view.scene.lines.push_back(std::move(line));
  };
  add_path("path of the sensor", plan.plan.trajectory, report::palette_colour(0), true);
  add_path("path of the baseline", plan.baseline.trajectory, report::colour_from_hex(report::kGrey), true);
  view.scene.initial_motion = view.scene.add_motion(std::move(film));
  view.scene.caption = "The arm on its way; the ball holds the object.";
  return std::move(view.scene);
}

}  // namespace prehend::inertia
