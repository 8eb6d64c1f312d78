// Simulated hands: wrenches that act on held links as the object moves. Used by simulated_recording.cpp alone.
#pragma once

#include <vector>

#include <prehend/math/random.h>
#include <prehend/simulate/simulation.h>
#include <prehend/topology/simulated/simulated_recording.h>

namespace prehend::topology {

class Hands {
 public:
  Hands(const model::Scene& scene, const RecordingOptions& options);

  // Links that any hand holds, increasing.
  const std::vector<int>& held() const { return held_; }
  // Lets all hands act at the simulation's present state; time runs from -lead_in.
  void act(simulate::Simulation& simulation, double time);
  // What acts on held()[i], in the link's axes about its origin.
  const math::Wrench& F_L(std::size_t i) const { return F_L_[i]; }

 private:
  struct Wave {
    double amplitude, frequency, phase;
  };
  struct Spring {
    int link;
    Eigen::Vector3d p_L;                  // [m] the link's centre of mass
    math::Pose X_WG;                      // where the grip stands at the start
    std::vector<Wave> waves[6];           // rotation vector, then position
    double stiffness, damping;            // [N/m] [N s/m]
    double turn_stiffness, turn_damping;  // [N m/rad] [N m s/rad]
    Eigen::Vector3d weight_W;             // [N] carried
  };
  math::Wrench spring_wrench(const Spring& spring, const simulate::Simulation& simulation, double time) const;

  std::vector<Push> pushes_;
  std::vector<Spring> springs_;
  std::vector<int> held_;
  std::vector<math::Wrench> F_L_;
  std::vector<math::SpatialInertia> pushed_;  // inertia of each pushed link
  Eigen::Vector3d gravity_W_;
  double lead_in_{0.0};
};

}  // namespace prehend::topology
