#include <algorithm>
#include <cmath>
#include <optional>
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

using BlockRows = std::vector<std::pair<std::size_t, std::size_t>>;

// [first, count) of each block: equal numbers of rows, none across a gap; what remains at the end of a run is left out. Where rows come
// at uneven times a block is what comes within its duration, and nothing is left out.
BlockRows block_rows(const std::vector<double>& t, double longest_step, std::size_t rows_per_block,
                     std::optional<double> duration, int& gaps) {
  BlockRows blocks;
  std::size_t first = 0;
  gaps = 0;
  for (std::size_t k = 1; k <= t.size(); ++k) {
    const bool is_gap = k < t.size() && t[k] - t[k - 1] > longest_step;
    if (is_gap) ++gaps;
    const bool is_full = duration ? k < t.size() && t[k] - t[first] > *duration : k - first == rows_per_block;
    if (is_gap || k == t.size() || is_full) {
      if (duration || k - first == rows_per_block) blocks.emplace_back(first, k - first);
      first = k;
    }
  }
  return blocks;
}

// Rows per block, and the means that stand for the usual numbers.
void describe_uneven(const std::vector<double>& t, const BlockRows& rows, double longest_step,
                     MotionBlocks& blocks) {
  double time = 0.0, count = 0.0;
  for (std::size_t k = 1; k < t.size(); ++k)
    if (t[k] - t[k - 1] <= longest_step) {
      time += t[k] - t[k - 1];
      count += 1.0;
    }
  if (count > 0.0) blocks.row_interval = time / count;
  std::size_t all = 0;
  for (const auto& block : rows) {
    blocks.rows.push_back(static_cast<int>(block.second));
    all += block.second;
  }
  if (!rows.empty())
    blocks.rows_per_block = std::max(
        1, static_cast<int>(std::lround(static_cast<double>(all) / static_cast<double>(rows.size()))));
}

// [s^2] Of the rows' times about their mean, per block, less the mean of all blocks.
std::vector<double> time_variances(const std::vector<double>& t, const BlockRows& rows) {
  std::vector<double> out;
  double sum = 0.0;
  for (const auto& [first, count] : rows) {
    double mean = 0.0, square = 0.0;
    for (std::size_t k = first; k < first + count; ++k)
      mean += (t[k] - t[first]) / static_cast<double>(count);
    for (std::size_t k = first; k < first + count; ++k)
      square += (t[k] - t[first] - mean) * (t[k] - t[first] - mean) / static_cast<double>(count);
    out.push_back(square);
    sum += square;
  }
  for (double& value : out) value -= sum / static_cast<double>(rows.size());
  return out;
}

// A mean over scattered times lies off the motion by half its acceleration times the times' variance: the same in all blocks where rows come
// evenly, which changes nothing, and a false acceleration of some tenths of a percent where the variance changes from block to block.
void take_out_scatter(const std::vector<double>& scatter, const MotionBlocks& blocks,
                      std::vector<math::Pose>& X) {
  const std::vector<math::Pose> seen = X;
  for (std::size_t b = 1; b + 1 < X.size(); ++b) {
    if (!blocks.follows[b] || !blocks.follows[b + 1]) continue;
    const double before = blocks.t[b] - blocks.t[b - 1], after = blocks.t[b + 1] - blocks.t[b];
    const double share = 0.5 * scatter[b] / (0.5 * (before + after));
    const Eigen::Quaterniond q = seen[b].q().conjugate();
    const Eigen::Vector3d shift =
        (seen[b + 1].p() - seen[b].p()) / after - (seen[b].p() - seen[b - 1].p()) / before;
    const Eigen::Vector3d turn =
        math::log_so3(q * seen[b + 1].q()) / after + math::log_so3(q * seen[b - 1].q()) / before;
    X[b] = math::Pose((seen[b].q() * math::exp_so3(-share * turn)).normalized(), seen[b].p() - share * shift);
  }
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

bool steps_are_uneven(const std::vector<double>& t, double usual, const BlockOptions& options) {
  std::size_t uneven = 0;
  for (std::size_t k = 1; k < t.size(); ++k)
    if (std::abs(t[k] - t[k - 1] - usual) > options.uneven_step * usual) ++uneven;
  return static_cast<double>(uneven) > options.uneven_share * static_cast<double>(t.size());
}

MotionBlocks average_blocks(const ArticulatedObject& object, const Recording& recording,
                            const BlockOptions& options) {
  MotionBlocks blocks;
  std::vector<double> steps;
  for (std::size_t k = 1; k < recording.rows(); ++k) steps.push_back(recording.t[k] - recording.t[k - 1]);
  blocks.row_interval = median(steps);
  blocks.rows_per_block = std::max(1, static_cast<int>(std::lround(options.duration / blocks.row_interval)));
  const double longest_step = std::max(options.gap * blocks.row_interval, options.shortest_gap);
  const bool is_uneven = steps_are_uneven(recording.t, blocks.row_interval, options);
  const BlockRows rows =
      block_rows(recording.t, longest_step, static_cast<std::size_t>(blocks.rows_per_block),
                 is_uneven ? std::optional(options.duration) : std::nullopt, blocks.gaps);
  if (is_uneven) describe_uneven(recording.t, rows, longest_step, blocks);

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
                             recording.t[first] - recording.t[first - 1] <= longest_step);
    blocks.t.push_back(t / static_cast<double>(count));
    previous_end = first + count;
  }
  if (is_uneven) {
    const std::vector<double> scatter = time_variances(recording.t, rows);
    for (std::vector<math::Pose>& X : blocks.X_WL) take_out_scatter(scatter, blocks, X);
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
