#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <prehend/inertia/motion/motion_chain.h>
#include <prehend/inertia/motion_filter.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>

namespace prehend::inertia {
namespace {

double stated(const std::optional<double>& value, const char* name) {
  if (!value)
    throw std::invalid_argument(std::string("MotionFilter: the noise of ") + name + " must be stated");
  if (!(*value > 0.0 && std::isfinite(*value)))
    throw std::invalid_argument(std::string("MotionFilter: the noise of ") + name + " is " +
                                math::number_text(*value) + ": must be a positive number");
  return *value;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double checked_step(double step) {
  if (!(step > 0.0 && std::isfinite(step)))
    throw std::invalid_argument("MotionFilter: step = " + math::number_text(step) + " s: must be positive");
  return step;
}

}  // namespace

struct MotionFilter::State {
  MotionNoise noise;
  ChainFilter linear, angular;
  Eigen::Quaterniond R{
      Eigen::Quaterniond::Identity()};              // nominal; the angular chain's position is zero there
  Eigen::Vector3d origin{Eigen::Vector3d::Zero()};  // [m] first position, for digits
  double t{0.0};
  bool started{false};
};

MotionFilter::MotionFilter(const MotionNoise& noise, double step)
    : state_(std::make_unique<State>(State{noise, ChainFilter(checked_step(step)), ChainFilter(step)})) {
  stated(noise.position, "position");
  stated(noise.rotation, "rotation");
  stated(noise.linear_jerk, "linear_jerk");
  stated(noise.angular_jerk, "angular_jerk");
}

MotionFilter::MotionFilter(MotionFilter&&) noexcept = default;
MotionFilter& MotionFilter::operator=(MotionFilter&&) noexcept = default;
MotionFilter::~MotionFilter() = default;

void MotionFilter::add(double t, const math::Pose& X_WS, const std::optional<LinearAngular>& twist,
                       const std::optional<LinearAngular>& acceleration) {
  State& self = *state_;
  if (self.started && t < self.t) throw std::invalid_argument("MotionFilter: time runs backwards");
  if (!self.started) {
    self.R = X_WS.q();
    self.origin = X_WS.p();
    self.started = true;
  } else {
    const double h = t - self.t;
    if (self.angular.determined()) {
      // Where the present estimate leads, by the integral of w and the part of axes that do not commute.
      const Eigen::Matrix3d s = self.angular.state();
      const Eigen::Vector3d w = s.row(1), al = s.row(2), turned = h * w + (0.5 * h * h) * al;
      self.R = (math::exp_so3(turned + noncommuting_part(w, al, w + h * al, al, h)) * self.R).normalized();
      self.angular.predict(h, *self.noise.angular_jerk);
      self.angular.shift_position(-turned);
    } else {
      self.angular.predict(h, *self.noise.angular_jerk);
    }
    self.linear.predict(h, *self.noise.linear_jerk);
  }
  self.t = t;
  self.linear.measure(0, X_WS.p() - self.origin, *self.noise.position);
  self.angular.measure(0, math::log_so3((X_WS.q() * self.R.conjugate()).normalized()), *self.noise.rotation);
  if (twist) {
    self.linear.measure(1, twist->linear, stated(self.noise.linear_velocity, "linear_velocity"));
    self.angular.measure(1, twist->angular, stated(self.noise.angular_velocity, "angular_velocity"));
  }
  if (acceleration) {
    self.linear.measure(2, acceleration->linear,
                        stated(self.noise.linear_acceleration, "linear_acceleration"));
    self.angular.measure(2, acceleration->angular,
                         stated(self.noise.angular_acceleration, "angular_acceleration"));
  }
  if (self.angular.determined()) {
    const Eigen::Vector3d correction = self.angular.state().row(0);
    self.R = (math::exp_so3(correction) * self.R).normalized();
    self.angular.shift_position(-correction);
  }
}

bool MotionFilter::ready() const { return state_->linear.determined() && state_->angular.determined(); }

FilteredMotion MotionFilter::motion() const {
  const State& self = *state_;
  const Eigen::Matrix3d s = self.linear.state(), r = self.angular.state(), P = self.linear.covariance(),
                        Q = self.angular.covariance();
  FilteredMotion result;
  result.X_WS = math::Pose(self.R, self.origin + s.row(0).transpose());
  result.twist = {s.row(1), r.row(1)};
  result.acceleration = {s.row(2), r.row(2)};
  result.std_a = std::sqrt(P(2, 2));
  result.std_w = std::sqrt(Q(1, 1));
  result.std_al = std::sqrt(Q(2, 2));
  return result;
}

SmoothedMotion filter_motion(const model::WrenchLog& log, const SmootherOptions& options) {
  // One density of jerk for all times: a local one would look ahead.
  SmootherOptions search = options;
  search.window = 0.0;
  SmoothedMotion motion = smooth_motion(log, search);
  const bool twist = options.use_twist && log.has_twist(),
             acceleration = options.use_acceleration && log.has_acceleration();
  const double step = log.duration() / static_cast<double>(log.rows() - 1);
  MotionFilter filter(motion.noise, step);
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < log.rows(); ++k) {
    std::optional<LinearAngular> v, a;
    if (twist) v = LinearAngular{log.v_WS_W[k], log.w_WS_W[k]};
    if (acceleration) a = LinearAngular{log.a_WS_W[k], log.al_WS_W[k]};
    filter.add(log.t[k], log.X_WS[k], v, a);
    const bool ready = filter.ready();
    FilteredMotion now;
    now.X_WS = log.X_WS[k];
    if (ready) now = filter.motion();
    motion.X_WS[k] = now.X_WS;
    motion.v_W[k] = now.twist.linear;
    motion.w_W[k] = now.twist.angular;
    motion.a_W[k] = now.acceleration.linear;
    motion.al_W[k] = now.acceleration.angular;
    motion.std_a[k] = ready ? now.std_a : kUnknown;
    motion.std_w[k] = ready ? now.std_w : kUnknown;
    motion.std_al[k] = ready ? now.std_al : kUnknown;
  }
  motion.std_p.clear();
  motion.std_R.clear();
  return motion;
}

Samples filtered_samples(const model::WrenchLog& log, const SampleOptions& sample_options,
                         const SmootherOptions& smoother_options, double settled) {
  math::OptionCheck("filtered_samples").at_least("settled", settled, 1.0);
  const SmoothedMotion motion = filter_motion(log, smoother_options);
  const double most_a = settled * median(motion.std_a), most_al = settled * median(motion.std_al);
  Samples all = smoothed_samples(log, motion, sample_options);
  Samples result = all;
  result.samples.clear();
  double a = 0.0, w = 0.0, al = 0.0;
  for (std::size_t k = 0; k < all.samples.size(); ++k) {
    if (!(motion.std_a[k] <= most_a && motion.std_al[k] <= most_al)) continue;
    result.samples.push_back(all.samples[k]);
    a += motion.std_a[k] * motion.std_a[k];
    w += motion.std_w[k] * motion.std_w[k];
    al += motion.std_al[k] * motion.std_al[k];
  }
  const double count = std::max<double>(1.0, static_cast<double>(result.samples.size()));
  result.noise =
      SampleNoise{std::sqrt(a / count), std::sqrt(w / count), std::sqrt(al / count), 0.0, 0.0, true};
  return result;
}

}  // namespace prehend::inertia
