#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include <prehend/math/angles.h>
#include <prehend/math/so3.h>
#include <prehend/topology/evidence/hands.h>

namespace prehend::topology {
namespace {

constexpr double kTwoPi = 2.0 * math::kPi;
constexpr double kDampingRatio = 0.7;  // hands do not ring
constexpr double kWristToArm = 3.0;    // stiffness of turning, against that of moving
// Share of a link's mass (inertia) that a damper may stop within one time step: the integrator stays stable.
constexpr double kLargestStop = 0.3;

model::BodyIndex body_of(int link) { return model::BodyIndex(link + 1); }

double smooth_step(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * (3.0 - 2.0 * x);
}

}  // namespace

Hands::Hands(const model::Scene& scene, const RecordingOptions& options)
    : pushes_(options.pushes), gravity_W_(scene.gravity_W), lead_in_(options.lead_in) {
  double mass = 0.0;
  const bool floats = scene.bodies[1].movable;
  for (std::size_t b = floats ? 1 : 2; b < scene.bodies.size(); ++b) mass += scene.bodies[b].inertia.mass;
  double carried = mass;
  for (const Push& push : pushes_) {
    pushed_.push_back(scene.bodies[body_of(push.link)].inertia);
    carried -= push.carried_weight * pushed_.back().mass;
  }
  math::RandomStream random(options.seed, 0x4a9d5);
  const double share = 1.0 / std::max<std::size_t>(1, options.grips.size());
  const double omega = kTwoPi * options.grip_frequency;
  for (const Grip& grip : options.grips) {
    const model::Body& body = scene.bodies[body_of(grip.link)];
    Spring spring;
    spring.link = grip.link;
    spring.p_L = body.inertia.com;
    spring.X_WG = math::Pose(body.X_WB.q(), body.X_WB * spring.p_L);
    double turn_inertia = 0.0;  // of everything about the grip
    for (std::size_t b = floats ? 1 : 2; b < scene.bodies.size(); ++b) {
      const math::SpatialInertia& inertia = scene.bodies[b].inertia;
      turn_inertia +=
          inertia.I_com.trace() / 3.0 +
          inertia.mass * (scene.bodies[b].X_WB * inertia.com - spring.X_WG.p()).squaredNorm() / 1.5;
    }
    const double smallest_inertia =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(body.inertia.I_com).eigenvalues().minCoeff();
    spring.damping = std::min(2.0 * kDampingRatio * omega * mass * share,
                              kLargestStop * body.inertia.mass / options.timestep);
    spring.turn_damping = std::min(2.0 * kDampingRatio * omega * turn_inertia * share,
                                   kLargestStop * smallest_inertia / options.timestep);
    spring.stiffness = spring.damping * omega / (2.0 * kDampingRatio);
    // Wrists are stiffer than arms: what hands twist must load every joint between them.
    spring.turn_stiffness = spring.turn_damping * kWristToArm * omega / (2.0 * kDampingRatio);
    spring.weight_W = -share * carried * scene.gravity_W;
    for (int k = 0; k < 6; ++k) {
      for (int wave = 0; wave < 2; ++wave) {
        const double amplitude = 0.5 * (k < 3 ? grip.angle_amplitude : grip.position_amplitude);
        const double frequency = random.uniform(options.hand_frequency_min, options.hand_frequency_max);
        const double phase = random.uniform(0.0, kTwoPi);
        spring.waves[k].push_back({amplitude, frequency, phase});
      }
    }
    springs_.push_back(std::move(spring));
    held_.push_back(grip.link);
  }
  for (const Push& push : pushes_) held_.push_back(push.link);
  std::sort(held_.begin(), held_.end());
  held_.erase(std::unique(held_.begin(), held_.end()), held_.end());
  F_L_.resize(held_.size());
}

math::Wrench Hands::spring_wrench(const Spring& spring, const simulate::Simulation& simulation,
                                  double time) const {
  const double rise = lead_in_ > 0.0 ? smooth_step((time + lead_in_) / lead_in_) : 1.0;
  math::Vector6d offset = math::Vector6d::Zero(), rate = math::Vector6d::Zero();
  for (int k = 0; k < 6; ++k) {
    for (const Wave& wave : spring.waves[k]) {
      const double angle = kTwoPi * wave.frequency * time + wave.phase;
      offset[k] += rise * wave.amplitude * std::sin(angle);
      rate[k] += rise * kTwoPi * wave.frequency * wave.amplitude * std::cos(angle);
    }
  }
  const math::Pose X_WL = simulation.X_WB(body_of(spring.link));
  const math::Twist V = simulation.velocity(body_of(spring.link)).at(X_WL.q() * spring.p_L);
  const Eigen::Quaterniond target = math::exp_so3(offset.head<3>()) * spring.X_WG.q();
  const Eigen::Vector3d turn = math::log_so3((target * X_WL.q().conjugate()).normalized());
  const Eigen::Vector3d shift = spring.X_WG.p() + offset.tail<3>() - X_WL * spring.p_L;
  return {spring.turn_stiffness * turn + spring.turn_damping * (rate.head<3>() - V.angular),
          spring.stiffness * shift + spring.damping * (rate.tail<3>() - V.linear) + spring.weight_W};
}

void Hands::act(simulate::Simulation& simulation, double time) {
  struct Action {
    int link;
    math::Wrench F_W;     // about p_W
    Eigen::Vector3d p_W;  // [m]
  };
  std::fill(F_L_.begin(), F_L_.end(), math::Wrench{});
  std::vector<Action> actions;
  for (const Spring& spring : springs_)
    actions.push_back({spring.link, spring_wrench(spring, simulation, time),
                       simulation.X_WB(body_of(spring.link)) * spring.p_L});
  for (std::size_t i = 0; i < pushes_.size(); ++i) {
    const Push& push = pushes_[i];
    const math::Pose X_WL = simulation.X_WB(body_of(push.link));
    const double wave = time < 0.0 ? 0.0 : std::sin(kTwoPi * push.frequency * time + push.phase);
    actions.push_back(
        {push.link, {Eigen::Vector3d::Zero(), wave * (X_WL.q() * push.force_L)}, X_WL * push.p_L});
    if (push.carried_weight > 0.0)
      actions.push_back({push.link,
                         {Eigen::Vector3d::Zero(), -push.carried_weight * pushed_[i].mass * gravity_W_},
                         X_WL * pushed_[i].com});
  }
  for (const Action& action : actions) {
    const auto slot =
        static_cast<std::size_t>(std::lower_bound(held_.begin(), held_.end(), action.link) - held_.begin());
    const math::Pose X_WL = simulation.X_WB(body_of(action.link));
    F_L_[slot] = F_L_[slot] + action.F_W.at(X_WL.p() - action.p_W).expressed(X_WL.R().transpose());
  }
  // Only now: a changed simulation has to be read anew.
  simulation.clear_wrenches();
  for (const Action& action : actions) simulation.apply_wrench(body_of(action.link), action.F_W, action.p_W);
}

}  // namespace prehend::topology
