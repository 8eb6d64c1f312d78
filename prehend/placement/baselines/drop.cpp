// The object falls from above in a physics engine and is taken where it comes to rest (N, 5.6.1, "Sim-Above").
//
// Slowly: the source lets it fall from 0.01 m/s at 0.1 m/s^2 until it rests, then settles it at 9.81 for 100 steps. Otherwise it falls at the scene's own
// gravity, which is faster and as gentle. Both through a viscous medium: at full gravity its terminal speed is g * 40 ms = 0.4 m/s. What it pushes out
// of place ends the fall. The rest pose sinks into its soft contacts and is snapped to exact touch before it is verified. The engine takes meshes for
// their convex hulls.
#include <algorithm>
#include <cmath>

#include <prehend/placement/baselines/touch.h>
#include <prehend/placement/planning/vicinity.h>
#include <prehend/placement/planning/candidate_source.h>
#include <prehend/placement/planning/trial_count.h>
#include <prehend/simulate/simulation.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;
using model::BodyIndex;

constexpr long kMostDrops = 500;  // the source's
// [s] Fall and settling of one drop; how long it has been slow before it rests.
constexpr double kMostTime = 3.0, kRestTime = 0.1;
// Steps between two looks; share of its velocity that the medium leaves the object in that time.
constexpr int kSlice = 4;
constexpr double kKept = 0.9;
// [1/s] Of its own radius: slower is at rest.
constexpr double kRestSpeed = 0.02;
// Of the object's radius, that another body may be pushed: more, and the scene is no longer the one asked about.
constexpr double kPushed = 0.02;
// [m] Gaps that are closed at rest: with contacts of 5 ms bodies sink by 1e-5 to 1e-4.
constexpr double kNear = 5e-4;
// The source's slow fall: gravity [m/s^2], speed at the start [m/s], steps of settling; and a time [s] in which it comes down its own size.
constexpr double kSlowGravity = 0.1, kSlowSpeed = 0.01, kMostSlowTime = 30.0;
// A thinner medium, or it would creep: its terminal speed is 0.1 * 400 ms = 0.04 m/s.
constexpr double kSlowKept = 0.99;
constexpr int kSettling = 100;

simulate::Simulation engine(const Problem& problem, bool slowly) {
  model::Scene scene = problem.scene;
  if (slowly) scene.gravity_W = -kSlowGravity * problem.up_W;
  for (model::Joint& joint : scene.joints) {
    if (joint.is_held()) joint.type = model::JointType::rigid;
  }
  simulate::SimulationOptions options;
  options.contact_time_constant = 0.005;
  try {
    return simulate::Simulation(scene, options);
  } catch (const simulate::SimulationError& error) {
    throw std::invalid_argument(std::string("the planner drop: the physics engine refuses the scene: ") + error.what());
  }
}

class Drop final : public CandidateSource {
 public:
  Drop(const Problem& problem, bool slowly)
      : problem_(problem),
        slowly_(slowly),
        vicinity_(problem),
        touch_(problem),
        simulation_(engine(problem, slowly)),
        start_(simulation_.snapshot()),
        random_(problem.options.seed, 32),
        count_(problem.options.count, kMostDrops * problem.options.count) {
    if (slowly) settling_.emplace(engine(problem, false));
    for (BodyIndex b(0); b < problem.scene.bodies.size(); ++b) {
      if (b != problem.object && problem.is_movable(b)) movable_.push_back(b);
    }
  }

  std::optional<math::Pose> next() override {
    if (vicinity_.wanted_U().isEmpty() || !count_.begin()) return std::nullopt;
    const math::Pose start = above();
    try {
      const math::Pose rest = fallen(start);
      const std::optional<math::Pose> touching = touch_.closed(rest, std::min(kNear, 0.05 * vicinity_.radius()));
      return touching ? *touching : rest;
    } catch (const simulate::SimulationError&) {
      ++exploded_;
      return start;  // floats: rejected like every pose that is none
    }
  }
  void observe(const Verdict& verdict) override { count_.observe(verdict); }
  std::string tried() const override {
    std::string text = "none of " + std::to_string(count_.begun()) + " simulated drops came to rest at a placement";
    if (fell_ > 0) text += "; " + std::to_string(fell_) + " fell off";
    if (pushed_ > 0) text += "; " + std::to_string(pushed_) + " pushed something out of place";
    if (restless_ > 0) text += "; " + std::to_string(restless_) + " did not come to rest";
    if (exploded_ > 0) text += "; " + std::to_string(exploded_) + " failed in the engine";
    return text;
  }

 private:
  math::Pose above() {
    const Eigen::AlignedBox3d& box = vicinity_.wanted_U();
    const double x = random_.uniform(box.min().x(), box.max().x());
    const double y = random_.uniform(box.min().y(), box.max().y());
    const Eigen::Quaterniond q = random_.rotation();
    const double radius = vicinity_.radius();
    return vicinity_.pose(q, {x, y, vicinity_.top_at(x, y, radius) + 1.01 * radius});
  }

  math::Pose fallen(const math::Pose& start) {
    simulation_.restore(start_);
    simulation_.set_pose(problem_.object, start);
    math::Twist first;
    if (slowly_) first.linear = -kSlowSpeed * problem_.up_W;
    simulation_.set_velocity(problem_.object, first);
    const double begin = simulation_.time();
    double slow_since = begin;
    const Vector3d com = problem_.body().inertia.com;
    const double radius = vicinity_.radius();
    while (simulation_.time() - begin < (slowly_ ? kMostSlowTime : kMostTime)) {
      simulation_.step(kSlice);
      const math::Pose X = simulation_.X_WB(problem_.object);
      math::Twist V = simulation_.velocity(problem_.object);
      const math::Twist at_com = V.at(X.q() * com);
      if (problem_.up_W.dot(X * com) < vicinity_.all_U().min().z() - radius) {
        ++fell_;
        return X;
      }
      if (has_pushed()) {
        ++pushed_;
        return X;
      }
      if (at_com.linear.norm() + radius * at_com.angular.norm() > kRestSpeed * radius) slow_since = simulation_.time();
      if (simulation_.time() - slow_since >= kRestTime) return slowly_ ? settled(X) : X;
      V.linear *= slowly_ ? kSlowKept : kKept;
      V.angular *= slowly_ ? kSlowKept : kKept;
      simulation_.set_velocity(problem_.object, V);
    }
    ++restless_;
    return simulation_.X_WB(problem_.object);
  }

  // At the scene's own gravity, from where everything stands now.
  math::Pose settled(const math::Pose& X_WO) {
    for (const BodyIndex b : movable_) {
      settling_->set_pose(b, simulation_.X_WB(b));
      settling_->set_velocity(b, math::Twist{});
    }
    settling_->set_pose(problem_.object, X_WO);
    settling_->set_velocity(problem_.object, math::Twist{});
    settling_->step(kSettling);
    return settling_->X_WB(problem_.object);
  }

  bool has_pushed() const {
    const double most = std::max(kPushed * vicinity_.radius(), 2e-3);
    return std::any_of(movable_.begin(), movable_.end(), [&](BodyIndex b) {
      const model::Body& body = problem_.scene.bodies[b];
      return (simulation_.X_WB(b) * body.inertia.com - body.X_WB * body.inertia.com).norm() > most;
    });
  }

  const Problem& problem_;
  bool slowly_;
  Vicinity vicinity_;
  Touch touch_;
  simulate::Simulation simulation_;
  std::optional<simulate::Simulation> settling_;
  simulate::Simulation::Snapshot start_;
  math::RandomStream random_;
  TrialCount count_;
  std::vector<BodyIndex> movable_;
  long fell_{0}, pushed_{0}, restless_{0}, exploded_{0};
};

}  // namespace

std::unique_ptr<CandidateSource> drop_source(const Problem& problem, bool slowly) {
  return std::make_unique<Drop>(problem, slowly);
}

}  // namespace prehend::placement
