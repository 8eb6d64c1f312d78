// Which of several grasps of a body is the stabler one, by what their contacts let it do to second order.
//
// Takamatsu 2004, section 3.4.1, has two rules: a grasp is stabler if the range of legal motions is narrower, and if the range of motions that
// open a contact is narrower. A range here is its dimension, then its share of the screws that first order leaves; grasps for
// which the rules disagree are not comparable. Beside it the measure of Rimon and Burdick 1998: the second-order mobility, the number of freedoms of
// first order on which the form of the contacts is not negative; 0 is immobile.
//
// Shares are counted on random screws in units of the contacts' size, 2000 by default: good to about 0.02.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <prehend/observation/second_order.h>

namespace prehend::observation {

struct GraspStabilityOptions {
  int screws{2000};  // random ones per grasp
  std::uint64_t seed{0};
  SecondOrderOptions second{};

  void validate() const;
};

struct MotionRange {
  int dimension{-1};  // -1: none
  double share{0.0};  // of the screws that first order leaves
};

struct GraspStability {
  std::string name;
  SecondOrderFreedom freedom;
  MotionRange legal, detaching;
  int maintaining_dimension{-1};
  // Freedoms of first order, and of second: positive and zero eigenvalues of the only form. None where contacts hold each other in
  // several ways, or in none.
  int first_order_mobility{0};
  std::optional<int> second_order_mobility;
};

enum class GraspOrder { stabler, less_stable, equal, not_comparable };
const char* to_string(GraspOrder order);

GraspStability grasp_stability(const std::string& name, const ContactRelation& relation,
                               const GraspStabilityOptions& options = {});

// Of a against b, by the two rules.
GraspOrder compare(const GraspStability& a, const GraspStability& b);

// The seven grasps of figure 3.5 (a to g): a body of half height 1 between two fingers.
struct NamedGrasp {
  std::string name, what;
  double body_curvature, finger_curvature;  // [1/m]
  ContactRelation relation;
};
std::vector<NamedGrasp> grasps_of_figure_3_5();

}  // namespace prehend::observation
