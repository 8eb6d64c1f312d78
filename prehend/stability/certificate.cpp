#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <Eigen/Geometry>

#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/stability/certificate.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using math::number_text;

// Forces and moments on one body, about its centre of mass.
struct Balance {
  Vector3d force{Vector3d::Zero()}, moment{Vector3d::Zero()};
  double size{0.0};         // [N] sum of the magnitudes of all forces on it
  double moment_size{0.0};  // [N m] the same of moments
  void add(const Vector3d& f, const Vector3d& m) {
    force += f;
    moment += m;
    size += f.norm();
    moment_size += m.norm();
  }
};

// Relative size at which a sum of powers is nothing but rounding.
constexpr double kRounding = 1e-12;
// [weights and loads] What a body carries below this is the accuracy of the solvers.
constexpr double kCarriesNothing = 1e-9;

// A number that is not a number must not pass.
bool exceeds(double value, double bound) { return !(value <= bound); }

std::string sentence(const std::string& what, double value, double bound) {
  return what + " (" + number_text(value, 3) + ", allowed " + number_text(bound, 3) + ")";
}

class Check {
 public:
  Check(const ContactSystem& system, const CertificateOptions& options) : system_(system), options_(options) {
    options.validate();
    for (const SystemBody& body : system.bodies) weight_ += body.mass * system.gravity_W.norm();
  }

  Certificate result() {
    out_.valid = out_.problem.empty();
    return out_;
  }
  bool fail(const std::string& problem) {
    if (out_.problem.empty()) out_.problem = problem;
    return false;
  }
  bool load_is_sound(const Load& load) {
    if (load.empty()) return fail("the load is empty");
    for (const BodyLoad& part : load) {
      if (!part.body.is_valid() || part.body >= system_.bodies.size()) {
        return fail("the load acts on a body that is not of this system");
      }
      if (!part.wrench.allFinite()) return fail("the load is not finite");
    }
    return true;
  }

  void forces(std::span<const Vector3d> forces_W, std::span<const double> joint_forces, const Load& load,
              double multiple) {
    if (joint_forces.size() != system_.joint_rows.size()) {
      fail("there are " + std::to_string(joint_forces.size()) + " joint forces for " +
           std::to_string(system_.joint_rows.size()) + " rows");
      return;
    }
    if (forces_W.size() != system_.contacts.size()) {
      fail("there are " + std::to_string(forces_W.size()) + " forces for " +
           std::to_string(system_.contacts.size()) + " contacts");
      return;
    }
    std::vector<Balance> balances = balance(forces_W, load, multiple);
    add_joints(joint_forces, balances);
    double reference = weight_ + multiple * load_size(load);
    if (!(reference > 0.0)) {  // no gravity, no load: stresses among themselves
      for (const Vector3d& f : forces_W) reference = std::max(reference, f.norm());
    }
    if (!(reference > 0.0)) reference = 1.0;
    out_.equilibrium_residual = out_.own_residual = out_.cone_violation = 0.0;
    for (const Balance& b : balances) {
      const double residual = std::max(b.force.norm(), b.moment.norm() / system_.length);
      raise(out_.equilibrium_residual, residual / reference);
      // Moments of a body are compared with its own moments, or its forces where they have no lever.
      const double lever =
          b.size > 0.0 ? std::max(b.moment_size / b.size, 1e-3 * system_.length) : system_.length;
      // A link without mass that nothing loads carries rounding alone.
      if (b.size > kCarriesNothing * reference ||
          b.moment_size > kCarriesNothing * reference * system_.length) {
        const double own = std::max(b.size, b.moment_size / lever);
        raise(out_.own_residual, std::max(b.force.norm(), b.moment.norm() / lever) / own);
      }
    }
    for (std::size_t k = 0; k < forces_W.size(); ++k) {
      const double f_n = forces_W[k].dot(system_.contacts[k].n_W());
      const double f_t = (forces_W[k] - f_n * system_.contacts[k].n_W()).norm();
      raise(out_.cone_violation, std::max({0.0, -f_n, f_t - system_.contacts[k].mu * f_n}) / reference);
    }
    for (std::size_t r = 0; r < joint_forces.size(); ++r) {
      const JointRow& row = system_.joint_rows[r];
      const double outside = std::max({0.0, row.lower - joint_forces[r], joint_forces[r] - row.upper});
      raise(out_.cone_violation, outside * size_of(row) / reference);
    }
    if (exceeds(out_.equilibrium_residual, options_.tolerance)) {
      fail(sentence("the forces do not balance the load", out_.equilibrium_residual, options_.tolerance));
    }
    if (exceeds(out_.own_residual, options_.own_tolerance)) {
      fail(sentence("the forces on one body do not balance", out_.own_residual, options_.own_tolerance));
    }
    if (exceeds(out_.cone_violation, options_.tolerance)) {
      fail(sentence("a force lies outside its friction cone or its joint's bounds", out_.cone_violation,
                    options_.tolerance));
    }
  }

  // Fills the numbers that concern the motion alone; false when there is nothing to go on with.
  bool motion(std::span<const math::Vector6d> motion) {
    if (motion.size() != system_.bodies.size()) {
      return fail("the motion has " + std::to_string(motion.size()) + " twists for " +
                  std::to_string(system_.bodies.size()) + " bodies");
    }
    speed_ = 0.0;
    weight_power_ = moving_power_ = 0.0;
    for (std::size_t i = 0; i < motion.size(); ++i) {
      const Vector3d v_com = velocity(motion[i], system_.bodies[i].com_W);
      raise(speed_, v_com.norm() + motion[i].head<3>().norm() * system_.length);
      const Vector3d weight_W = system_.bodies[i].mass * system_.gravity_W;
      weight_power_ += weight_W.dot(v_com);
      moving_power_ += weight_W.norm() * v_com.norm();
      const Vector3d v_lift = velocity(motion[i], system_.bodies[i].lift_at_W);
      weight_power_ += system_.bodies[i].lift_W.dot(v_lift);
      moving_power_ += system_.bodies[i].lift_W.norm() * v_lift.norm();
    }
    if (!std::isfinite(speed_)) return fail("the motion is not finite");
    if (!(speed_ > 0.0)) return fail("nothing moves in the motion");
    double slack = 0.0;
    for (const SystemContact& c : system_.contacts) {
      Vector3d v = Vector3d::Zero();
      if (c.b.is_valid()) v += velocity(motion[c.b], c.p_W);
      if (c.a.is_valid()) v -= velocity(motion[c.a], c.p_W);
      const double v_n = v.dot(c.n_W());
      raise(slack, c.mu * (v - v_n * c.n_W()).norm() - v_n);
    }
    for (const JointRow& row : system_.joint_rows) raise(slack, joint_slack(row, motion));
    out_.motion_violation = slack / speed_;
    out_.weight_power = weight_ > 0.0 ? weight_power_ / (weight_ * speed_) : 0.0;
    if (exceeds(out_.motion_violation, options_.tolerance)) {
      fail(sentence("contacts resist the motion", out_.motion_violation, options_.tolerance));
    }
    return true;
  }

  // What the contacts still resist, against the power at stake.
  void motion_beats_resistance() {
    out_.own_motion_violation = out_.motion_violation * speed_ * weight_ / std::abs(weight_power_);
    if (exceeds(out_.own_motion_violation, options_.own_tolerance)) {
      fail(sentence("contacts resist the motion more than the weights' power allows",
                    out_.own_motion_violation, options_.own_tolerance));
    }
  }

  void falls() {
    // The sign of a power that is rounding alone says nothing.
    if (!(weight_power_ > kRounding * moving_power_)) {
      fail("the weights do no work on the motion (" + number_text(out_.weight_power, 3) +
           ", must be positive)");
      return;
    }
    motion_beats_resistance();
  }

  void limits(const Load& load, std::span<const math::Vector6d> motion, double upper) {
    double load_power = 0.0;
    for (const BodyLoad& part : load) load_power += part.wrench.dot(motion[part.body]);
    const double reference = load_size(load) * speed_;
    if (!(load_power > kRounding * reference)) {
      fail("the load does no work on the motion (" + number_text(load_power / reference, 3) +
           ", must be positive)");
      return;
    }
    if (!(upper >= 0.0) || !std::isfinite(upper)) {
      fail("the upper bound is " + number_text(upper) + ", must be finite and not negative");
      return;
    }
    // A bound of zero (the scene is only just stable) leaves rounding alone to be compared: then with the weights.
    const double scale =
        std::max({-weight_power_, upper * load_power, options_.tolerance * weight_ * speed_});
    out_.power_residual = scale > 0.0 ? std::abs(weight_power_ + upper * load_power) / scale : 0.0;
    if (exceeds(out_.power_residual, options_.tolerance)) {
      fail(sentence("the powers of the weights and of the upper bound's load differ", out_.power_residual,
                    options_.tolerance));
    }
    if (upper * load_power > options_.tolerance * weight_ * speed_) motion_beats_resistance();
  }

  // "Unbounded" is proven up to a multiple of the load; it must exceed all weights by far.
  void is_far(const Load& load, double multiple) {
    if (exceeds(options_.unbounded_weights * weight_, multiple * load_size(load))) {
      fail("an unbounded answer is proven only up to " + number_text(multiple) + " times the load");
    }
  }

  void bounds(double lower, double robustness, double upper) {
    if (!(lower >= 0.0)) fail("the lower bound is " + number_text(lower) + ", must not be negative");
    if (!std::isfinite(upper)) return;
    const double slack = options_.tolerance * std::max(upper, 1e-300);
    if (!(lower <= upper + slack)) {
      fail("the lower bound, " + number_text(lower) + ", exceeds the upper, " + number_text(upper));
    }
    if (!(robustness >= lower - slack && robustness <= upper + slack)) {
      fail("the answer, " + number_text(robustness) + ", lies outside its bounds, " + number_text(lower) +
           " and " + number_text(upper));
    }
    out_.gap = upper > 0.0 ? (upper - lower) / upper : 0.0;
  }

 private:
  // Of a row's unit force, in force, with moments about the bodies' centres of mass over the system's length.
  double size_of(const JointRow& row) const {
    double squares = 0.0;
    for (const JointRow::Part& part : row.parts) {
      const Vector3d f = part.wrench.tail<3>();
      const Vector3d m =
          part.wrench.head<3>() - (system_.bodies[part.body].com_W - system_.origin_W).cross(f);
      squares += f.squaredNorm() + m.squaredNorm() / (system_.length * system_.length);
    }
    return std::sqrt(squares);
  }
  // How fast the motion breaks what a row holds without bound [m/s]; what it holds with a bound takes its power from the
  // weights'.
  double joint_slack(const JointRow& row, std::span<const math::Vector6d> motion) {
    double rate = 0.0;
    for (const JointRow::Part& part : row.parts) rate += part.wrench.dot(motion[part.body]);
    // The least power of any admissible force of the row.
    const double force = rate > 0.0 ? row.lower : row.upper;
    if (std::isfinite(force)) {
      weight_power_ += force * rate;
      moving_power_ += std::abs(force * rate);
      return 0.0;
    }
    const double size = size_of(row);
    return size > 0.0 ? std::abs(rate) / size : 0.0;
  }
  void add_joints(std::span<const double> joint_forces, std::vector<Balance>& balances) const {
    for (std::size_t r = 0; r < joint_forces.size(); ++r) {
      for (const JointRow::Part& part : system_.joint_rows[r].parts) {
        const Vector3d f = joint_forces[r] * part.wrench.tail<3>();
        const Vector3d arm = system_.origin_W - system_.bodies[part.body].com_W;
        balances[part.body].add(f, joint_forces[r] * part.wrench.head<3>() + arm.cross(f));
      }
    }
  }
  // max, but a NaN stays.
  static void raise(double& value, double candidate) {
    if (!(candidate <= value)) value = candidate;
  }
  Vector3d velocity(const math::Vector6d& twist, const Vector3d& p_W) const {
    return twist.tail<3>() + twist.head<3>().cross(p_W - system_.origin_W);
  }
  double load_size(const Load& load) const {
    double size = 0.0;
    for (const BodyLoad& part : load) {
      size += std::max(part.wrench.tail<3>().norm(), part.wrench.head<3>().norm() / system_.length);
    }
    return size;
  }

  std::vector<Balance> balance(std::span<const Vector3d> forces_W, const Load& load, double multiple) const {
    std::vector<Balance> balances(system_.bodies.size());
    for (std::size_t i = 0; i < balances.size(); ++i) {
      const SystemBody& body = system_.bodies[i];
      balances[i].add(body.mass * system_.gravity_W, Vector3d::Zero());
      if (!body.lift_W.isZero())
        balances[i].add(body.lift_W, (body.lift_at_W - body.com_W).cross(body.lift_W));
    }
    for (std::size_t k = 0; k < forces_W.size(); ++k) {
      const SystemContact& c = system_.contacts[k];
      const auto act = [&](NodeIndex body, const Vector3d& f) {
        if (body.is_valid()) balances[body].add(f, (c.p_W - system_.bodies[body].com_W).cross(f));
      };
      act(c.b, forces_W[k]);
      act(c.a, -forces_W[k]);
    }
    for (const BodyLoad& part : load) {
      const Vector3d f = multiple * part.wrench.tail<3>();
      const Vector3d arm = system_.origin_W - system_.bodies[part.body].com_W;
      balances[part.body].add(f, multiple * part.wrench.head<3>() + arm.cross(f));
    }
    return balances;
  }

  const ContactSystem& system_;
  const CertificateOptions options_;
  Certificate out_;
  double weight_{0.0};        // [N]
  double speed_{0.0};         // [m/s]
  double weight_power_{0.0};  // [W]
  double moving_power_{0.0};  // [W] what it would be if all bodies moved straight down
};

}  // namespace

void CertificateOptions::validate() const {
  const math::OptionCheck check("CertificateOptions");
  const auto is_part = [&check](const char* name, double value) {
    check.above(name, value, 0.0);
    check.holds(value < 1.0, name, number_text(value), "below 1");
  };
  is_part("tolerance", tolerance);
  is_part("own_tolerance", own_tolerance);
  check.at_least("unbounded_weights", unbounded_weights, 1.0);
}

std::string Certificate::brief_report() const {
  std::string text = valid ? "proven" : "not proven: " + problem;
  const auto add = [&](const char* name, double value) {
    if (!std::isnan(value)) text += std::string("; ") + name + " " + number_text(value, 3);
  };
  add("equilibrium", equilibrium_residual);
  add("of one body", own_residual);
  add("cones", cone_violation);
  add("motion", motion_violation);
  add("power", power_residual);
  add("gap", gap);
  return text;
}

Certificate check_answer(const ContactSystem& system, const Load& load, const PushAnswer& answer,
                         const CertificateOptions& options) {
  Check check(system, options);
  if (answer.status != AnswerStatus::ok && answer.status != AnswerStatus::unstable) {
    check.fail(std::string("the answer claims nothing: it is '") + to_string(answer.status) + "'");
  } else if (!answer.proof) {
    check.fail("the answer carries no proof");
  } else if (answer.status == AnswerStatus::unstable) {
    if (check.motion(answer.proof->motion)) check.falls();
  } else if (check.load_is_sound(load)) {
    const Proof& proof = *answer.proof;
    if (answer.unbounded) {
      check.forces(proof.forces_W, proof.joint_forces, load, proof.multiple);
      check.is_far(load, proof.multiple);
      if (std::isfinite(answer.robustness) || std::isfinite(answer.upper)) {
        check.fail("an unbounded answer has a finite value");
      }
    } else {
      if (proof.multiple != answer.lower)
        check.fail("the forces belong to another multiple than the lower bound");
      check.forces(proof.forces_W, proof.joint_forces, load, answer.lower);
      if (check.motion(proof.motion)) check.limits(load, proof.motion, answer.upper);
      check.bounds(answer.lower, answer.robustness, answer.upper);
    }
  }
  return check.result();
}

Certificate check_resting_forces(const ContactSystem& system, std::span<const Vector3d> forces_W,
                                 const CertificateOptions& options) {
  return check_resting_forces(system, forces_W, {}, options);
}

Certificate check_resting_forces(const ContactSystem& system, std::span<const Vector3d> forces_W,
                                 std::span<const double> joint_forces, const CertificateOptions& options) {
  Check check(system, options);
  check.forces(forces_W, joint_forces, {}, 0.0);
  return check.result();
}

Certificate check_falling(const ContactSystem& system, std::span<const math::Vector6d> motion,
                          const CertificateOptions& options) {
  Check check(system, options);
  if (check.motion(motion)) check.falls();
  return check.result();
}

}  // namespace prehend::stability
