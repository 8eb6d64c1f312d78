// How fast may I drive? The largest acceleration of the ground at which nothing on it moves (source N, 4.6.2).
//
// In the frame of a ground that accelerates by a d, on every body acts the inertial force -m a d at its centre of mass
// (d'Alembert), so the answer is the limit of one load on all movable bodies at once. The source takes the least limit
// over all cuts of the contact graph, each cut pushed at its common centre of mass (algorithm 4), exponential in the
// number of bodies; one program with true friction cones considers them all. Accelerations that hold form a convex
// set: whatever is below the limit holds, too. Steady acceleration, no turning, no shaking.
#pragma once

#include <string>
#include <vector>

#include <prehend/stability/limit_analysis.h>

namespace prehend::stability {

struct TransportOptions {
  // Equally spaced, the first along x (or y, where the normal is along x) as far as it lies in the plane, turning
  // counter-clockwise about the normal. At least 1. 100 as in the source.
  int directions{100};
  // Of the plane in which the ground accelerates; any length but zero. Horizontal by default.
  Eigen::Vector3d normal_W{Eigen::Vector3d::UnitZ()};
  ContactSystemOptions system;
  LimitOptions limit;
  // Also what load-caused forces hold (prestress.h), and a problem that counts the directions in which that is less by 5 %.
  bool load_caused{false};

  void validate() const;
};

enum class TransportStatus {
  not_computed,
  ok,
  unstable,      // it falls without any acceleration: `moving`
  undetermined,  // `problems` say why
};
const char* to_string(TransportStatus status);

struct TransportAnswer {
  Eigen::Vector3d d_W{Eigen::Vector3d::Zero()};  // unit: direction of the ground's acceleration
  // Robustness and bounds in m/s^2, mode, moving bodies, proof.
  PushAnswer limit;
};

struct TransportResult {
  TransportStatus status{TransportStatus::not_computed};
  std::vector<TransportAnswer> answers;
  std::vector<model::BodyIndex> moving;  // when it falls without any acceleration
  std::vector<std::string> problems;     // sentences
  std::vector<std::string> body_names;   // of the scene, by model::BodyIndex
  std::string joints_text, joints_json;  // how joints were taken (contact_system.h)

  // {"status","results":[{d_W,msa_mps2,unbounded,lower_mps2,upper_mps2,mode,moving[]}],"problems":[]}; with load_caused also
  // msa_without_prestress_mps2 and load_caused_less, with joints also msa_without_prestress_range_mps2, depends_on_stiffness and "joints"
  std::string to_json() const;
  std::string brief_report() const;
};

// The load of a unit acceleration of the ground along d_W (normalised): limits of it are in m/s^2.
Load acceleration_load(const ContactSystem& system, const Eigen::Vector3d& d_W);
std::vector<Eigen::Vector3d> plane_directions(const Eigen::Vector3d& normal_W, int count);

TransportResult transport(const model::Scene& scene, const TransportOptions& options = {});

}  // namespace prehend::stability
