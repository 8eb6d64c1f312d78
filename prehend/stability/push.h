// A question to this room, and the answer that every method gives.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/stability/contact_system.h>

namespace prehend::stability {

// A force on a body at a point of its surface; how large may it become before something moves?
struct Push {
  model::BodyIndex body;
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m]
  Eigen::Vector3d d_W{Eigen::Vector3d::Zero()};  // direction, any length but zero; a pull points outward
};

// A wrench on several bodies at once, to be scaled: simultaneous pushes, an acceleration of the ground.
struct BodyLoad {
  NodeIndex body;
  math::Vector6d wrench{math::Vector6d::Zero()};  // about the system's origin, angular first
};
using Load = std::vector<BodyLoad>;

// What the limiting motion looks like. An exact-cone mechanism dilates (v_n = mu v_t): that is sliding, not opening.
enum class Mode {
  undetermined,
  slip,       // every contact that moves slides
  topple,     // some contacts stay put while others open
  lift,       // all that move open
  mixed,      // anything else
  roll,       // no contact slides or opens: bodies turn on theirs, as a ball does
  joint,      // the same with joints that move
  unbounded,  // nothing moves, however hard the push
  unstable,   // something moves without any push
};
const char* to_string(Mode mode);

// Both sides of an answer, to be checked without trusting the solver (certificate.h).
struct Proof {
  // One force per contact of the system, on b, in the world's axes [N]: they balance all weights and `multiple` times
  // the load. `multiple` is the lower bound; of an unbounded answer, a multiple beyond any of interest.
  double multiple{0.0};
  std::vector<Eigen::Vector3d> forces_W;
  std::vector<double> joint_forces;  // one per joint row of the system
  // One twist per body about the system's origin: at every contact the relative velocity lies in the dual friction
  // cone (v_n >= mu |v_t|), and the power of the weights plus `upper` times that of the load is zero. Empty when
  // unbounded.
  std::vector<math::Vector6d> motion;
};

enum class AnswerStatus {
  not_computed,
  ok,
  unstable,      // something moves without the push
  undetermined,  // `note` says why
};
const char* to_string(AnswerStatus status);

struct PushAnswer {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  AnswerStatus status{AnswerStatus::not_computed};
  double robustness{kUnknown};  // [N]; infinite when unbounded
  bool unbounded{false};
  // [N] Proven bounds (infinite where unbounded); not a number where the method proves nothing.
  double lower{kUnknown}, upper{kUnknown};
  Mode mode{Mode::undetermined};
  std::vector<model::BodyIndex> moving;
  // The forces that hold are internal stresses that no load causes; see prestress.h.
  bool needs_prestress{false};
  // [N] What holds by load-caused forces alone; not a number when it was not asked for.
  double without_prestress{kUnknown};
  // That is less than 95 % of `robustness`: the rest is there only if something squeezes the bodies beforehand.
  bool load_caused_less{false};
  // [N] `without_prestress` for friction a hundredth to a hundred times as stiff as the normal direction: what braces a mechanism depends on it. Not
  // numbers where that was not looked at: without joints, and with more than twelve bodies.
  double load_caused_low{kUnknown}, load_caused_high{kUnknown};
  // They differ by more than 2 %: the true value is not known any better.
  bool depends_on_stiffness{false};
  // [N] What holds for all masses, friction and outlines inside their intervals (margins.h); not a number when it was
  // not asked for.
  double guaranteed{kUnknown};
  std::shared_ptr<const Proof> proof;  // `exact` alone; null when not asked for
  std::string note;                    // one sentence, where something needs one
};

// The load of a unit push. Throws std::invalid_argument for a fixed or unknown body, or a zero or infinite direction,
// naming the body.
Load push_load(const model::Scene& scene, const ContactSystem& system, const Push& push);

}  // namespace prehend::stability
