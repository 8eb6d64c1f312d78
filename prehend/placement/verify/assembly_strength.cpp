#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/geometry/polygon2.h>
#include <prehend/math/angles.h>
#include <prehend/placement/verify/assembly_strength.h>
#include <prehend/stability/transport.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using stability::AnswerStatus;
using stability::Load;
using stability::PushAnswer;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// Directions asked to begin with; a multiple of the kernel's lanes.
constexpr int kFirstDirections = 16;
// Until least and guaranteed margin agree to half a percent, or as many have been asked; the guaranteed one is returned too.
constexpr int kMostDirections = 64;
constexpr double kAgreement = 1.005;

// 1/R of an answer, 0 when unbounded; not a number when unknown.
double inverse_limit(const PushAnswer& answer) {
  if (answer.status != AnswerStatus::ok) return std::numeric_limits<double>::quiet_NaN();
  return answer.unbounded ? 0.0 : 1.0 / std::max(answer.robustness, 1e-300);
}

Load point_load(const stability::ContactSystem& system, const stability::PointPush& push) {
  return {{push.body, system.force_wrench(push.d_W.normalized(), push.p_W)}};
}

}  // namespace

ShakeMargin shake_margin(const stability::LimitAnalysis& analysis, const Vector3d& up_W, double gravity) {
  const std::vector<Vector3d> axes = stability::plane_directions(up_W, 4);  // u, v, -u, -v
  const Vector3d u = axes[0], v = axes[1];
  std::vector<Vector2d> asked;
  std::vector<double> inverse;
  const auto ask = [&](const std::vector<Vector2d>& directions) {
    std::vector<Load> loads;
    for (const Vector2d& d : directions)
      loads.push_back(stability::acceleration_load(analysis.system(), d.x() * u + d.y() * v));
    for (const PushAnswer& answer : analysis.ask(loads)) inverse.push_back(inverse_limit(answer));
    asked.insert(asked.end(), directions.begin(), directions.end());
  };
  std::vector<Vector2d> next;
  for (int i = 0; i < kFirstDirections; ++i) {
    const double angle = 2.0 * math::kPi * i / kFirstDirections;
    next.emplace_back(std::cos(angle), std::sin(angle));
  }
  while (true) {
    ask(next);
    if (std::any_of(inverse.begin(), inverse.end(), [](double h) { return std::isnan(h); })) return {};
    const double largest = *std::max_element(inverse.begin(), inverse.end());
    if (largest <= 0.0) return {kInfinite, kInfinite};
    geometry::Polygon2 outline{
        {{{-9.0, -9.0}, {9.0, -9.0}, {9.0, 9.0}, {-9.0, 9.0}}}};  // in units of `largest`
    for (std::size_t i = 0; i < asked.size(); ++i)
      outline = geometry::clip_to_half_plane(outline, asked[i], inverse[i] / largest + 1e-9);
    double farthest = 1.0;
    next.clear();
    for (const auto& loop : outline.loops) {
      for (const Vector2d& corner : loop) {
        farthest = std::max(farthest, corner.norm());
        if (corner.norm() > kAgreement) next.push_back(corner.normalized());
      }
    }
    const double least = 1.0 / (largest * gravity);
    if (next.empty() || static_cast<int>(asked.size()) >= kMostDirections) return {least, least / farthest};
    if (next.size() > 8) next.resize(8);
  }
}

namespace {

constexpr int kMostMotions = 160;
// Pushes that motions are followed from, besides those that look weakest.
constexpr std::size_t kStarts = 24;

LeastPush least_of_all(const stability::LimitAnalysis& analysis,
                       std::span<const stability::PointPush> pushes) {
  LeastPush least{kInfinite};
  const std::vector<PushAnswer> answers = analysis.map(pushes, 1e-3);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].status != AnswerStatus::ok) least.determined = false;
    if (answers[i].status != AnswerStatus::ok || answers[i].unbounded) continue;
    if (answers[i].robustness < least.force) {
      least.force = answers[i].robustness;
      least.push = static_cast<int>(i);
    }
  }
  return least;
}

// Every motion in Z bounds 1/R of every push from below: follow the largest.
LeastPush least_by_motions(const stability::LimitAnalysis& analysis,
                           std::span<const stability::PointPush> pushes) {
  const stability::ContactSystem& system = analysis.system();
  std::vector<math::Vector6d> wrenches;  // of unit pushes
  wrenches.reserve(pushes.size());
  for (const stability::PointPush& push : pushes)
    wrenches.push_back(system.force_wrench(push.d_W.normalized(), push.p_W));
  std::vector<double> bound(pushes.size(), 0.0);  // of 1/R, from below
  std::vector<char> is_asked(pushes.size(), 0);
  LeastPush least{kInfinite};
  double largest = 0.0;
  const auto take = [&](std::size_t i, const PushAnswer& answer) {
    is_asked[i] = 1;
    if (answer.status != AnswerStatus::ok) least.determined = false;
    if (answer.status != AnswerStatus::ok || answer.unbounded) return;
    if (1.0 / answer.robustness > largest) {
      largest = 1.0 / answer.robustness;
      least.force = answer.robustness;
      least.push = static_cast<int>(i);
    }
    if (!answer.proof || answer.proof->motion.empty()) return;
    const auto& motion = answer.proof->motion;
    double weight_power = 0.0;
    for (stability::NodeIndex b(0); b < system.bodies.size(); ++b)
      weight_power -= system.gravity_wrench(b).dot(motion[b]);
    if (!(weight_power > 0.0)) return;
    for (std::size_t k = 0; k < pushes.size();) {
      // The list goes body by body.
      const stability::NodeIndex body = pushes[k].body;
      const math::Vector6d per_wrench = motion[body] / weight_power;
      for (; k < pushes.size() && pushes[k].body == body; ++k)
        bound[k] = std::max(bound[k], wrenches[k].dot(per_wrench));
    }
  };
  // Starts: spread over the list, which goes face by face and body by body.
  const std::size_t starts = std::min(pushes.size(), kStarts);
  std::vector<Load> loads;
  for (std::size_t s = 0; s < starts; ++s) {
    const std::size_t i = s * pushes.size() / starts;
    loads.push_back({{pushes[i].body, wrenches[i]}});
  }
  const std::vector<PushAnswer> first = analysis.ask(loads);
  for (std::size_t s = 0; s < starts; ++s) take(s * pushes.size() / starts, first[s]);
  for (int round = 0; round < kMostMotions; ++round) {
    std::size_t best = pushes.size();
    for (std::size_t k = 0; k < pushes.size(); ++k) {
      if (!is_asked[k] && (best == pushes.size() || bound[k] > bound[best])) best = k;
    }
    if (best == pushes.size() || bound[best] <= largest * (1.0 + 1e-4)) break;
    take(best, analysis.ask(Load{{pushes[best].body, wrenches[best]}}));
  }
  return least;
}

}  // namespace

LeastPush weakest_push(const stability::LimitAnalysis& analysis, std::span<const stability::PointPush> pushes,
                       std::size_t ask_all) {
  LeastPush least =
      pushes.size() <= ask_all ? least_of_all(analysis, pushes) : least_by_motions(analysis, pushes);
  if (least.push < 0) return least;
  const PushAnswer answer =
      analysis.ask(point_load(analysis.system(), pushes[static_cast<std::size_t>(least.push)]));
  if (answer.status == AnswerStatus::ok && !answer.unbounded) {
    least.force = answer.robustness;
    least.mode = answer.mode;
  }
  return least;
}

AxisRobustness axis_robustness(const stability::LimitAnalysis& analysis, stability::NodeIndex asked) {
  const stability::ContactSystem& system = analysis.system();
  std::vector<Load> loads;
  for (stability::NodeIndex b(0); b < system.bodies.size(); ++b) {
    for (int axis = 0; axis < 3; ++axis) {
      for (const double sign : {1.0, -1.0})
        loads.push_back(point_load(system, {b, system.bodies[b].com_W, sign * Vector3d::Unit(axis)}));
    }
  }
  AxisRobustness result{kInfinite, asked.is_valid()};
  const std::vector<PushAnswer> answers = analysis.ask(loads);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const PushAnswer& answer = answers[i];
    const bool is_unbounded = answer.status == AnswerStatus::ok && answer.unbounded;
    if (loads[i].front().body == asked && !is_unbounded) result.is_jammed = false;
    if (answer.status == AnswerStatus::ok && !answer.unbounded)
      result.least = std::min(result.least, answer.robustness);
  }
  return result;
}

}  // namespace prehend::placement
