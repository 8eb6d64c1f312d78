// The moving body in a compliant hand, and the fixed body, in the physics engine.
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include <prehend/math/random.h>
#include <prehend/math/spatial.h>
#include <prehend/observation/principal_contacts.h>
#include <prehend/simulate/simulation.h>

namespace prehend::observation {

// What the hand and the engine's bodies are like; the robot does not know the errors.
struct HandSettings {
  double stiffness_Npm{1000.0}, clearance_m{0.0}, friction{0.2}, force_noise_N{0.0}, control_hz{100.0};
  std::uint64_t seed{0};
  math::Pose X_WF;  // of the fixed body, which the robot takes to stand at the origin
  math::Pose X_HM;  // of the moving body's middle in the hand, as the robot takes that to be
};

class CompliantHand {
 public:
  // `X_WM`: where the robot takes the moving body to be at the beginning. Throws simulate::SimulationError where a body cannot be divided into convex
  // pieces.
  CompliantHand(const BodyPair& pair, const HandSettings& settings, const Eigen::Vector3d& middle_M,
                const math::Pose& X_WM);

  // Where the robot would have the moving body, as it takes it to lie in the hand.
  const math::Pose& command() const { return X_WM_command_; }
  void set_command(const math::Pose& X_WM) { X_WM_command_ = X_WM; }
  // One period of control.
  void advance();

  double time() const { return simulation_.time(); }
  // What the fixed body exerts on the moving one, moment about the moving body's middle as commanded, in the world's axes: with noise.
  const math::Wrench& reading() const { return reading_; }
  // Where the robot takes the moving body to be: its command, and how far the hand's spring is bent.
  math::Pose X_WM_felt() const;
  // Where it truly is, and where in the fixed body's true frame.
  math::Pose X_WM() const;
  math::Pose X_FM() const;

 private:
  math::Pose X_WG_of(const math::Pose& X_WM) const;

  HandSettings settings_;
  math::Pose X_MG_;  // the middle, in the moving body's axes
  math::Pose X_WM_command_;
  math::Pose X_WG_last_;   // commanded, at the end of the last period
  double turn_stiffness_;  // [N m/rad]
  double lever_;           // [m]
  simulate::Simulation simulation_;
  math::RandomStream random_;
  math::Wrench reading_;
};

// A quarter of the moving body's size [m]: what its turns count as beside shifts.
double lever_of(const BodyPair& pair);

}  // namespace prehend::observation
