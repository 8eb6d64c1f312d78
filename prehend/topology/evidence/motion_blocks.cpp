#include <algorithm>
#include <cmath>
#include <utility>

#include <prehend/math/so3.h>
#include <prehend/topology/evidence/motion_blocks.h>

namespace prehend::topology {
namespace {

double median(std::vector<double>& values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

math::Pose mean_pose_of(const std::vector<math::Pose>& X, std::size_t first, std::size_t count) {
  if (count == 1) return X[first];
  const Eigen::Quaterniond reference = X[first + count / 2].q();
  const Eigen::Quaterniond inverse = reference.conjugate();
  Eigen::Vector3d p = Eigen::Vector3d::Zero(), turn = Eigen::Vector3d::Zero();
  for (std::size_t k = first; k < first + count; ++k) {
    p += X[k].p();
    turn += math::log_so3(inverse * X[k].q());
  }
  const double share = 1.0 / static_cast<double>(count);
  return math::Pose((reference * math::exp_so3(share * turn)).normalized(), share * p);
}

// [first, count) of each block: equal numbers of rows, none across a gap; what remains at the end of a run is left out.
std::vector<std::pair<std::size_t, std::size_t>> block_rows(const std::vector<double>& t, double longest_step,
                                                            std::size_t rows_per_block, int& gaps) {
  std::vector<std::pair<std::size_t, std::size_t>> blocks;
  std::size_t first = 0;
  gaps = 0;
  for (std::size_t k = 1; k <= t.size(); ++k) {
    const bool is_gap = k < t.size() && t[k] - t[k - 1] > longest_step;
    if (is_gap) ++gaps;
    if (is_gap || k == t.size() || k - first == rows_per_block) {
      if (k - first == rows_per_block) blocks.emplace_back(first, rows_per_block);
      first = k;
    }
  }
  return blocks;
}

}  // namespace

void PoseMean::start(const math::Pose& reference) {
  reference_ = reference;
  inverse_ = reference.inverse();
  turn_.setZero();
  shift_.setZero();
  count_ = 0;
}

void PoseMean::add(const math::Pose& X) {
  const math::Pose E = inverse_ * X;
  const Eigen::Vector3d w = math::log_so3(E.q()), p = E.p();
  turn_ += w;
  shift_ += p - 0.5 * w.cross(p) + w.cross(w.cross(p)) / 12.0;
  ++count_;
}

math::Pose PoseMean::mean() const {
  if (count_ == 0) return reference_;
  const Eigen::Vector3d w = turn_ / count_, v = shift_ / count_;
  return reference_ * math::Pose(math::exp_so3(w), v + 0.5 * w.cross(v) + w.cross(w.cross(v)) / 6.0);
}

MotionBlocks average_blocks(const ArticulatedObject& object, const Recording& recording,
                            const BlockOptions& options) {
  MotionBlocks blocks;
  std::vector<double> steps;
  for (std::size_t k = 1; k < recording.rows(); ++k) steps.push_back(recording.t[k] - recording.t[k - 1]);
  blocks.row_interval = median(steps);
  blocks.rows_per_block = std::max(1, static_cast<int>(std::lround(options.duration / blocks.row_interval)));
  const auto rows = block_rows(recording.t, options.gap * blocks.row_interval,
                               static_cast<std::size_t>(blocks.rows_per_block), blocks.gaps);

  blocks.X_WL.resize(object.links.size());
  for (std::size_t i = 0; i < object.links.size(); ++i) {
    blocks.X_WL[i].reserve(rows.size());
    for (const auto& [first, count] : rows)
      blocks.X_WL[i].push_back(mean_pose_of(recording.X_WL[i], first, count));
  }
  PoseMean mean;
  blocks.X_PC.resize(object.links.size() - 1);
  for (std::size_t j = 0; j + 1 < object.links.size(); ++j) {
    const std::vector<math::Pose>& X_WP =
        recording.X_WL[static_cast<std::size_t>(object.links[j + 1].parent)];
    const std::vector<math::Pose>& X_WC = recording.X_WL[j + 1];
    blocks.X_PC[j].reserve(rows.size());
    for (const auto& [first, count] : rows) {
      const std::size_t middle = first + count / 2;
      mean.start(X_WP[middle].inverse() * X_WC[middle]);
      for (std::size_t k = first; k < first + count; ++k) mean.add(X_WP[k].inverse() * X_WC[k]);
      blocks.X_PC[j].push_back(mean.mean());
    }
  }
  std::size_t previous_end = 0;
  for (const auto& [first, count] : rows) {
    double t = 0.0;
    for (std::size_t k = first; k < first + count; ++k) t += recording.t[k];
    blocks.follows.push_back(!blocks.t.empty() && first == previous_end &&
                             recording.t[first] - recording.t[first - 1] <=
                                 options.gap * blocks.row_interval);
    blocks.t.push_back(t / static_cast<double>(count));
    previous_end = first + count;
  }

  double mass = 0.0;
  for (std::size_t i = 0; i < object.links.size(); ++i)
    for (const math::Pose& X : blocks.X_WL[i]) {
      const double m = object.links[i].inertia.mass + 1e-12;
      blocks.origin += m * (X * object.links[i].inertia.com);
      mass += m;
    }
  if (mass > 0.0) blocks.origin /= mass;

  for (const HeldLink& held : recording.held) {
    std::vector<math::Vector6d>& F_W = blocks.F_W.emplace_back();
    std::vector<math::Vector6d>& F_L = blocks.F_L.emplace_back();
    for (const auto& [first, count] : rows) {
      math::Vector6d sum = math::Vector6d::Zero(), sum_L = math::Vector6d::Zero();
      for (std::size_t k = first; k < first + count; ++k) {
        const math::Pose& X = recording.X_WL[static_cast<std::size_t>(held.link)][k];
        const Eigen::Vector3d f = X.q() * held.F_L[k].force;
        sum.head<3>() += X.q() * held.F_L[k].moment + (X.p() - blocks.origin).cross(f);
        sum.tail<3>() += f;
        sum_L += held.F_L[k].vector();
      }
      F_W.push_back(sum / static_cast<double>(count));
      F_L.push_back(sum_L / static_cast<double>(count));
    }
  }
  return blocks;
}

}  // namespace prehend::topology
