#include <algorithm>
#include <cmath>

#include <prehend/geometry/house/convex_pieces.h>
#include <prehend/math/so3.h>
#include <prehend/observation/execution/compliant_hand.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;

// [rad/s] Of the body in the hand, which fixes the mass that the engine moves: far above the rate of control, so that the motion is that of a spring, and far
// enough below the engine's steps of 1 ms.
constexpr double kBandwidth = 60.0;
// [s] Contacts of the engine: about twenty times as stiff as the hand with the mass above.
constexpr double kContactTime = 0.004;

// What turns a pose into another one, in the world's axes.
Vector3d turn_between(const math::Pose& from, const math::Pose& to) {
  return math::log_so3(to.q() * from.q().conjugate());
}

std::vector<model::Geom> geoms_of(const geometry::Polyhedron& body, const std::string& name, double friction,
                                  const math::Pose& X_BM, double scale) {
  const geometry::ConvexPieces pieces = geometry::convex_pieces(body);
  if (pieces.status != geometry::ConvexPiecesStatus::ok)
    throw simulate::SimulationError("the " + name +
                                    " cannot be divided into convex pieces: " + pieces.message);
  std::vector<model::Geom> geoms;
  for (std::size_t i = 0; i < pieces.pieces.size(); ++i) {
    model::Geom geom;
    geom.name = name + std::to_string(i);
    geom.shape.kind = model::ShapeKind::mesh;
    geom.mesh = geometry::scaled(geometry::transformed(pieces.pieces[i], X_BM), Vector3d::Constant(scale));
    geom.friction = friction;
    geoms.push_back(std::move(geom));
  }
  return geoms;
}

// A sphere in whose middle the hand's spring takes hold, with the inertia that gives the bandwidth in shifts and in turns.
math::SpatialInertia held_inertia(double stiffness, double turn_stiffness) {
  const double mass = stiffness / (kBandwidth * kBandwidth);
  const double moment = turn_stiffness / (kBandwidth * kBandwidth);
  return math::SpatialInertia::solid_sphere(mass, std::sqrt(2.5 * moment / mass));
}

model::Scene scene_of(const BodyPair& pair, const HandSettings& settings, const math::Pose& X_MG,
                      const math::Pose& X_WG, double turn_stiffness) {
  model::Scene scene;
  scene.name = "execution";
  scene.gravity_W.setZero();
  scene.bodies[0].geoms = geoms_of(pair.fixed(), "fixed body", settings.friction, settings.X_WF, 1.0);
  model::Body held;
  held.name = "moving body";
  held.movable = true;
  held.inertia = held_inertia(settings.stiffness_Npm, turn_stiffness);
  held.X_WB = X_WG;
  const geometry::Aabb box = geometry::bounding_box(pair.moving().vertices());
  const double scale = 1.0 - settings.clearance_m / (box.upper - box.lower).minCoeff();
  held.geoms = geoms_of(pair.moving(), "moving body", settings.friction, X_MG.inverse(), scale);
  scene.bodies.push_back(std::move(held));
  return scene;
}

simulate::SimulationOptions engine_options() {
  simulate::SimulationOptions options;
  options.contact_time_constant = kContactTime;
  return options;
}

}  // namespace

double lever_of(const BodyPair& pair) { return 0.25 * pair.moving().size(); }

CompliantHand::CompliantHand(const BodyPair& pair, const HandSettings& settings, const Vector3d& middle_M,
                             const math::Pose& X_WM)
    : settings_(settings),
      X_MG_(math::Pose::translation(middle_M)),
      X_WM_command_(X_WM),
      X_WG_last_(X_WG_of(X_WM)),
      turn_stiffness_(settings.stiffness_Npm * lever_of(pair) * lever_of(pair)),
      lever_(lever_of(pair)),
      simulation_(scene_of(pair, settings, X_MG_, X_WG_last_, turn_stiffness_), engine_options()),
      random_(settings.seed, 1) {}

// The middle of the moving body as it truly lies in a hand that is where the robot takes it to be.
math::Pose CompliantHand::X_WG_of(const math::Pose& X_WM) const { return X_WM * X_MG_ * settings_.X_HM; }

void CompliantHand::advance() {
  const model::BodyIndex held(1);
  const double dt = simulate::SimulationOptions{}.timestep;
  const int steps = std::max(1, static_cast<int>(std::lround(1.0 / (settings_.control_hz * dt))));
  const math::Pose X_goal = X_WG_of(X_WM_command_);
  const Vector3d v_goal = (X_goal.p() - X_WG_last_.p()) / (steps * dt);
  const Vector3d w_goal = turn_between(X_WG_last_, X_goal) / (steps * dt);
  const double damping = 2.0 / kBandwidth;  // [s] of the stiffness: critical
  math::Wrench sum;
  for (int i = 1; i <= steps; ++i) {
    const double share = static_cast<double>(i) / steps;
    const math::Pose X = simulation_.X_WB(held);
    const math::Twist V = simulation_.velocity(held);
    const Vector3d p = X_WG_last_.p() + share * (X_goal.p() - X_WG_last_.p());
    const math::Pose X_now(math::interpolate(X_WG_last_.q(), X_goal.q(), share), p);
    math::Wrench F;
    F.force = settings_.stiffness_Npm * (p - X.p() + damping * (v_goal - V.linear));
    F.moment = turn_stiffness_ * (turn_between(X, X_now) + damping * (w_goal - V.angular));
    simulation_.clear_wrenches();
    simulation_.apply_wrench(held, F, X.p());
    simulation_.step();
    sum = sum + F;
  }
  X_WG_last_ = X_goal;
  // The hand carries what the fixed body exerts; about the commanded middle.
  const Vector3d p_to_middle = X_WM_command_ * X_MG_.p() - simulation_.X_WB(held).p();
  reading_.force = -sum.force / steps;
  reading_.moment = -sum.moment / steps;
  reading_ = reading_.at(p_to_middle);
  const Vector3d force_noise = random_.normal3(), moment_noise = random_.normal3();
  reading_.force += settings_.force_noise_N * force_noise;
  reading_.moment += settings_.force_noise_N * lever_ * moment_noise;
}

math::Pose CompliantHand::X_WM() const { return simulation_.X_WB(model::BodyIndex(1)) * X_MG_.inverse(); }

math::Pose CompliantHand::X_WM_felt() const {
  return simulation_.X_WB(model::BodyIndex(1)) * (X_MG_ * settings_.X_HM).inverse();
}

math::Pose CompliantHand::X_FM() const { return settings_.X_WF.inverse() * X_WM(); }

}  // namespace prehend::observation
