// Does the recorded wrench explain the motion of the whole object? And would another reading of the recording explain it better?
//
// Mean square of the total wrench less the rate of the total momentum, whitened by the noise of poses and wrenches: about one where
// all is right. The same for recordings read otherwise: a wrench of the opposite sign, in the world's axes, without gravity, with a
// heavier link, with a further force somewhere. Only for objects whose base floats (or whose base's wrench is recorded).
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/topology/evidence/link_balance.h>
#include <prehend/topology/recording.h>

namespace prehend::topology {

// Whitened mean square over windows and directions; zero without windows.
double total_balance(const LinkBalance& balance);

enum class Reading {
  as_recorded,
  opposite_sign,      // of one hand
  all_opposite_sign,  // of all hands
  world_axes,         // of one hand: its wrench is in the world's axes, about the link's origin
  all_world_axes,     // of all hands
  no_gravity,  // gravity is not in the wrenches, as with sensors that were zeroed or a simulation without
  opposite_gravity,
  other_gravity,    // of the same size, along another of the world's axes
  gravity_missing,  // the recording states no gravity; the usual 9.81 m/s^2 along the world's -z fits
  mass_scaled,      // of one link, with its inertia
  further_force,    // on one link: a force constant in the world, through its centre of mass
  sensor_offset     // of all hands: a wrench constant in the link's axes that is the sensor's own
};
const char* to_string(Reading reading);

struct BalanceVariant {
  Reading reading{Reading::as_recorded};
  int link{-1};                                      // of the hand, mass or force; -1: none
  double balance{0.0};                               // whitened mean square
  double scale{1.0};                                 // of the mass
  Eigen::Vector3d force_W{Eigen::Vector3d::Zero()};  // [N] further force; [m/s^2] other gravity
  std::vector<math::Wrench> offsets{};               // of every hand: what its sensor reads too much
};

// As recorded first, then by balance, best first. The noise is measured where it is not given.
std::vector<BalanceVariant> balance_variants(const ArticulatedObject& object, const Recording& recording,
                                             const RecordingNoise* noise = nullptr);

}  // namespace prehend::topology
