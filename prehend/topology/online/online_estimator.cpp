#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include <prehend/math/so3.h>
#include <prehend/topology/evidence/balance.h>
#include <prehend/topology/online/online_estimator.h>

namespace prehend::topology {
namespace {

// Rows on which the noise is measured, and [s] how long they last at most where there are enough of them: hands hardly begin
// to move in that time, and a median of 96 to 480 differences is known to 6 to 12 %.
constexpr std::size_t kNoiseRows = 160, kLeastNoiseRows = 32;
constexpr double kNoiseDuration = 0.25;
// A step longer than this many usual ones is a gap, as BlockOptions::gap; the usual one follows the steps with this share.
constexpr double kGap = 3.5, kFollows = 0.02;

template <class Values>
void drop_every_second(Values& values) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < values.size(); k += 2) values[kept++] = std::move(values[k]);
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(kept), values.end());
}

}  // namespace

OnlineEstimator::OnlineEstimator(ArticulatedObject object, const std::vector<int>& held,
                                 const Eigen::Vector3d& gravity_W, bool base_is_fixed,
                                 const OnlineTopologyOptions& options)
    : object_(std::move(object)), options_(options) {
  options_.validate();
  const std::size_t links = object_.links.size();
  setting_.gravity_W = gravity_W;
  setting_.base_is_fixed = base_is_fixed;
  setting_.X_WL.assign(links, std::vector<math::Pose>(3));
  setting_.t = {0.0, 1.0, 2.0};
  for (const int link : held) setting_.held.push_back({link, std::vector<math::Wrench>(3)});
  topology::validate(object_, setting_);
  setting_.t.clear();
  setting_.t.reserve(kNoiseRows);
  for (auto& X : setting_.X_WL) X.clear(), X.reserve(kNoiseRows);
  for (HeldLink& hand : setting_.held) hand.F_L.clear(), hand.F_L.reserve(kNoiseRows);
  reference_.resize(links);
  turn_.resize(links);
  shift_.resize(links);
  wrench_W_.resize(held.size());
  wrench_L_.resize(held.size());
  recent_.X_WL.resize(links);
  recent_.X_PC.resize(links - 1);
  relative_.resize(links - 1);
  recent_.F_W.resize(held.size());
  recent_.F_L.resize(held.size());
  joints_.resize(links - 1);
  for (JointRecord& record : joints_) {
    record.frames.fixed_is_measured = true;
    record.last.resize(options_.topology.types.size());
  }
  for (std::size_t j = 0; j + 1 < links; ++j) {
    FoundJoint found;
    found.name = object_.links[j + 1].joint;
    found.parent = object_.links[j + 1].parent;
    found.child = static_cast<int>(j + 1);
    found.parent_name = object_.links[static_cast<std::size_t>(found.parent)].name;
    found.child_name = object_.links[j + 1].name;
    found.status = TopologyStatus::undetermined;
    found.reason = "the recording is too short";
    for (const model::JointType type : options_.topology.types) found.hypotheses.emplace_back().type = type;
    beliefs_.push_back(std::move(found));
  }
  identified_since_.assign(links - 1, -1.0);
}

void OnlineEstimator::push(double t, std::span<const math::Pose> X_WL, std::span<const math::Wrench> F_L) {
  if (X_WL.size() != object_.links.size() || F_L.size() != setting_.held.size())
    throw std::invalid_argument("a row has " + std::to_string(X_WL.size()) + " poses and " +
                                std::to_string(F_L.size()) + " wrenches; the object has " +
                                std::to_string(object_.links.size()) + " links, " +
                                std::to_string(setting_.held.size()) + " of them held");
  if (!std::isfinite(t) || (rows_ > 0 && t <= last_t_))
    throw std::invalid_argument("time must increase: " + std::to_string(t) + " s after " +
                                std::to_string(last_t_) + " s");
  for (const math::Wrench& F : F_L)
    if (!F.force.allFinite() || !F.moment.allFinite()) throw std::invalid_argument("a wrench is not finite");
  for (const math::Pose& X : X_WL)
    if (!X.p().allFinite()) throw std::invalid_argument("a pose is not finite");
  if (rows_ == 1) interval_ = t - last_t_;
  const bool is_gap = rows_ > 1 && t - last_t_ > std::max(kGap * interval_, BlockOptions{}.shortest_gap);
  // The mean at first: a single step says little where rows come at uneven times.
  if (rows_ > 1 && !is_gap)
    interval_ += std::max(kFollows, 1.0 / static_cast<double>(rows_)) * (t - last_t_ - interval_);
  if (is_gap) {
    in_block_ = 0;
    follows_ = false;
  }
  last_t_ = t;
  ++rows_;
  if (rows_ == 1) {
    double mass = 0.0;
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < X_WL.size(); ++i) {
      const double m = object_.links[i].inertia.mass + 1e-12;
      sum += m * (X_WL[i] * object_.links[i].inertia.com);
      mass += m;
    }
    recent_.origin = sum / mass;
  }
  if (!has_noise_) return take_noise(t, X_WL, F_L);

  if (in_block_ == 0) start_block(X_WL);
  add_to_block(t, X_WL, F_L);
  const bool closes = ++in_block_ == recent_.rows_per_block;
  if (closes) close_block();
  // As much work per second at any rate: one piece per millisecond, and closing a block is one.
  const int pieces = static_cast<int>(std::clamp(std::round(interval_ / options_.work_interval), 1.0, 100.0));
  for (int k = closes ? 1 : 0; k < pieces; ++k) work();
}

void OnlineEstimator::start_block(std::span<const math::Pose> X_WL) {
  block_t_ = 0.0;
  for (std::size_t i = 0; i < X_WL.size(); ++i) {
    reference_[i] = X_WL[i].q();
    turn_[i].setZero();
    shift_[i].setZero();
  }
  for (std::size_t j = 0; j < relative_.size(); ++j)
    relative_[j].start(X_WL[static_cast<std::size_t>(object_.links[j + 1].parent)].inverse() * X_WL[j + 1]);
  for (std::size_t h = 0; h < wrench_W_.size(); ++h) {
    wrench_W_[h].setZero();
    wrench_L_[h].setZero();
  }
}

void OnlineEstimator::add_to_block(double t, std::span<const math::Pose> X_WL,
                                   std::span<const math::Wrench> F_L) {
  block_t_ += t;
  for (std::size_t j = 0; j < relative_.size(); ++j)
    relative_[j].add(X_WL[static_cast<std::size_t>(object_.links[j + 1].parent)].inverse() * X_WL[j + 1]);
  for (std::size_t i = 0; i < X_WL.size(); ++i) {
    if (in_block_ > 0) turn_[i] += math::log_so3(reference_[i].conjugate() * X_WL[i].q());
    shift_[i] += X_WL[i].p();
  }
  for (std::size_t h = 0; h < F_L.size(); ++h) {
    const math::Pose& X = X_WL[static_cast<std::size_t>(setting_.held[h].link)];
    const Eigen::Vector3d f = X.q() * F_L[h].force;
    wrench_W_[h].head<3>() += X.q() * F_L[h].moment + (X.p() - recent_.origin).cross(f);
    wrench_W_[h].tail<3>() += f;
    wrench_L_[h] += F_L[h].vector();
  }
}

void OnlineEstimator::take_noise(double t, std::span<const math::Pose> X_WL,
                                 std::span<const math::Wrench> F_L) {
  const TopologyOptions& given = options_.topology;
  const bool all_given = given.pose_noise && given.force_noise && given.torque_noise;
  const std::size_t wanted = std::clamp(static_cast<std::size_t>(kNoiseDuration / std::max(interval_, 1e-6)),
                                        kLeastNoiseRows, kNoiseRows);
  const std::size_t links = X_WL.size(), hands = F_L.size();
  if (setting_.rows() < wanted) {
    setting_.t.push_back(t);
    for (std::size_t i = 0; i < links; ++i) setting_.X_WL[i].push_back(X_WL[i]);
    for (std::size_t h = 0; h < hands; ++h) setting_.held[h].F_L.push_back(F_L[h]);
    if (!(all_given && rows_ > 1)) return;
  } else if (noise_piece_ < 2 * (links + hands)) {
    const auto add = [](double& sum, double deviation, std::size_t count) {
      sum = std::sqrt(sum * sum + deviation * deviation / static_cast<double>(count));
    };
    const std::size_t k = noise_piece_ / 2;
    const bool first = noise_piece_++ % 2 == 0;
    if (k < links && first)
      add(noise_.pose.position, position_noise(setting_.t, setting_.X_WL[k]), links);
    else if (k < links)
      add(noise_.pose.angle, angle_noise(setting_.t, setting_.X_WL[k]), links);
    else if (first)
      add(noise_.force, force_noise(setting_.t, setting_.held[k - links].F_L), hands);
    else
      add(noise_.torque, torque_noise(setting_.t, setting_.held[k - links].F_L), hands);
    return;
  }
  if (given.pose_noise) noise_.pose = *given.pose_noise;
  if (given.force_noise) noise_.force = *given.force_noise;
  if (given.torque_noise) noise_.torque = *given.torque_noise;
  has_noise_ = true;
  recent_.row_interval = interval_;
  is_uneven_ = setting_.rows() > 2 && steps_are_uneven(setting_.t, interval_);
  recent_.rows_per_block = std::max(1, static_cast<int>(std::lround(options_.block_duration / interval_)));
  MotionBlocks now;
  for (const math::Pose& X : X_WL) now.X_WL.push_back({X});
  now.t = {t};
  size_ = size_of(object_, now);
  setting_.t.clear();
  for (auto& X : setting_.X_WL) X = {};
  for (HeldLink& hand : setting_.held) hand.F_L = {};
}

void OnlineEstimator::close_block() {
  const double share = 1.0 / in_block_;
  in_block_ = 0;
  if (!follows_) {  // a new run of blocks
    recent_.t.clear();
    recent_.follows.clear();
    for (auto& X : recent_.X_WL) X.clear();
    for (auto& X : recent_.X_PC) X.clear();
    for (auto& F : recent_.F_W) F.clear();
    for (auto& F : recent_.F_L) F.clear();
    since_window_ = 0;
  }
  const auto add = [&](auto& values, const auto& value) {
    if (window_length_ > 0 && static_cast<int>(values.size()) == window_length_) values.erase(values.begin());
    values.push_back(value);
  };
  if (window_length_ == 0) {
    const LinkBalance shape = prepare_balance(0, recent_, noise_);
    // Reach to both sides, the centre, one more at each end; where rows come at uneven times, half as many again may be needed for the same time.
    window_length_ = 2 * shape.blocks_per_side + 1;
    if (is_uneven_) window_length_ += window_length_ / 2;
  }
  add(recent_.t, share * block_t_);
  add(recent_.follows, static_cast<char>(follows_));
  recent_.follows.front() = 0;
  for (std::size_t i = 0; i < reference_.size(); ++i)
    add(recent_.X_WL[i],
        math::Pose((reference_[i] * math::exp_so3(share * turn_[i])).normalized(), share * shift_[i]));
  for (std::size_t h = 0; h < wrench_W_.size(); ++h) {
    add(recent_.F_W[h], math::Vector6d(share * wrench_W_[h]));
    add(recent_.F_L[h], math::Vector6d(share * wrench_L_[h]));
  }
  follows_ = true;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const math::Pose X_PC = relative_[j].mean();
    add(recent_.X_PC[j], X_PC);
    keep_frame(joints_[j], X_PC);
  }
  ++since_window_;
  const int spacing = (window_length_ + 1) / 4 * 2;
  if (static_cast<int>(recent_.size()) == window_length_ && since_window_ >= spacing && !window_open_)
    start_window();
}

void OnlineEstimator::keep_frame(JointRecord& record, const math::Pose& X_PC) {
  if (++record.skipped < record.stride) return;
  record.skipped = 0;
  std::vector<articulation::Observation>& poses = record.frames.poses;
  if (static_cast<int>(poses.size()) == options_.kept_frames) {
    drop_every_second(poses);
    record.stride *= 2;
    for (std::size_t k = 0; k < poses.size(); ++k) poses[k].time = static_cast<int>(k);
    record.frames.times.resize(poses.size());
  }
  record.frames.times.push_back(static_cast<double>(poses.size()));
  poses.push_back({static_cast<int>(poses.size()), X_PC});
}

void OnlineEstimator::keep_window(JointRecord& record, const TransmittedWrench& window) {
  TransmittedWrench& kept = record.windows;
  kept.from_below = window.from_below;
  if (++record.windows_skipped < record.window_stride) return;
  record.windows_skipped = 0;
  if (static_cast<int>(kept.size()) == options_.kept_windows) {
    drop_every_second(kept.F_P);
    drop_every_second(kept.covariance);
    drop_every_second(kept.V_P);
    drop_every_second(kept.X_PC);
    record.window_stride *= 2;
  }
  kept.F_P.push_back(window.F_P.back());
  kept.covariance.push_back(window.covariance.back());
  kept.V_P.push_back(window.V_P.back());
  kept.X_PC.push_back(window.X_PC.back());
}

void OnlineEstimator::start_window() {
  snapshot_ = recent_;
  window_ = prepare_balance(object_.links.size(), snapshot_, noise_);
  next_link_ = next_joint_ = 0;
  window_open_ = !window_.windows.empty();
  if (window_open_) since_window_ = 0;
}

void OnlineEstimator::work() {
  if (window_open_)
    work_on_window();
  else
    work_on_joint();
}

void OnlineEstimator::work_on_window() {
  if (next_link_ < object_.links.size()) {
    int held = -1;
    for (std::size_t h = 0; h < setting_.held.size(); ++h)
      if (setting_.held[h].link == static_cast<int>(next_link_)) held = static_cast<int>(h);
    balance_link(window_, next_link_, object_.links[next_link_].inertia, held, setting_.gravity_W, snapshot_,
                 noise_);
    if (++next_link_ == object_.links.size() && setting_.is_complete()) {
      balance_sum_ += total_balance(window_);
      ++balance_count_;
    }
    return;
  }
  const double inflation = std::max(1.0, balance());
  keep_window(joints_[next_joint_], transmitted_wrench(object_, setting_, snapshot_, window_,
                                                       static_cast<int>(next_joint_), noise_, inflation));
  if (++next_joint_ == joints_.size()) window_open_ = false;
}

std::vector<int> OnlineEstimator::held() const {
  std::vector<int> links;
  for (const HeldLink& hand : setting_.held) links.push_back(hand.link);
  return links;
}

std::vector<math::Pose> OnlineEstimator::X_WL() const {
  std::vector<math::Pose> last;
  for (const auto& X : recent_.X_WL) last.push_back(X.empty() ? math::Pose() : X.back());
  return last;
}

}  // namespace prehend::topology
