#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include <prehend/articulation/fit/likelihood_engine.h>
#include <prehend/articulation/fit/pose_covariances.h>
#include <prehend/articulation/fit/short_motion.h>
#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/tree/rigid_groups.h>
#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

int stride_for(const PartTracks& tracks, int frames) {
  return std::max(1, static_cast<int>(tracks.times.size()) / std::max(frames, 1));
}

math::Pose mean_of(const std::vector<math::Pose>& poses) {
  Moments sums;
  for (const math::Pose& X : poses) {
    sums.R += X.R();
    sums.p += X.p();
    sums.weight += 1;
  }
  return math::Pose(mean_rotation(sums), sums.mean_p());
}

// Squared whitened distance, of mean 6, that noise does not reach: one in 1e9.
constexpr double kFar = 54.0;

// Residuals about the mean: turn a and displacement c of the dividing point, in M's axes (likelihood_engine.h).
struct RigidResiduals {
  std::vector<Eigen::Vector3d> a, c;
  Eigen::Vector3d lever;  // [m] from F's origin to M's, in M's axes
};
RigidResiduals rigid_residuals(const Observations& observations, double share) {
  Moments sums;
  for (const Observation& o : observations.poses) {
    sums.R += o.X_FM.R();
    sums.p += o.X_FM.p();
    sums.weight += 1;
  }
  RigidResiduals out;
  const Eigen::Matrix3d R = mean_rotation(sums);
  const Eigen::Quaterniond back(R.transpose());
  out.lever = R.transpose() * sums.mean_p();
  out.a.reserve(observations.poses.size());
  out.c.reserve(observations.poses.size());
  for (const Observation& o : observations.poses) {
    out.a.push_back(math::log_so3(back * o.X_FM.q()));
    out.c.push_back(back * o.X_FM.p() - out.lever - share * out.a.back().cross(out.lever));
  }
  return out;
}

// Residuals about the most likely rigid pose, each by its own covariance.
std::vector<math::Vector6d> whitened_about_mean(const Observations& observations) {
  Frames frames;
  for (const Observation& o : observations.poses) frames.X.push_back({o.X_FM.R(), o.X_FM.p()});
  frames.weights.assign(frames.X.size(), 1.0);
  frames.pose_weights = pose_weights(observations.covariances);
  LikelihoodSettings settings;
  settings.noise_is_known = true;
  settings.covariance_scale = 1.0;
  settings.radius_scale = std::numeric_limits<double>::infinity();
  const JointKind& kind = joint_kind(model::JointType::rigid);
  const LikelihoodResult fit = refine(kind, frames, kind.closed_form(frames).front(), settings);
  std::vector<math::Vector6d> residuals;
  for (const FrameTerms& term : fit.terms) residuals.push_back(term.residual);
  return residuals;
}

// The same with noise that is equal for all frames, in units of it.
std::vector<math::Vector6d> whitened_about_mean(const Observations& observations, const PoseNoise& noise,
                                                double share) {
  const RigidResiduals e = rigid_residuals(observations, share);
  const double length2 = e.lever.squaredNorm(), r = noise.angle * noise.angle;
  const double along = noise.position * noise.position, across = along + share * (1 - share) * r * length2;
  const Eigen::Matrix3d R =
      length2 > 0 ? frame_with_z(e.lever / std::sqrt(length2)) : Eigen::Matrix3d::Identity();
  const Eigen::Vector3d scale(1 / std::sqrt(across), 1 / std::sqrt(across), 1 / std::sqrt(along));
  std::vector<math::Vector6d> whitened(e.a.size());
  for (std::size_t i = 0; i < e.a.size(); ++i)
    whitened[i] << e.a[i] / noise.angle, scale.cwiseProduct(R.transpose() * e.c[i]);
  return whitened;
}

// [nats] What a motion along one direction explains of the means over blocks of successive residuals.
double gain_over_blocks(const std::vector<math::Vector6d>& residuals, int length, double slow_noise) {
  const int blocks = static_cast<int>(residuals.size()) / length;
  constexpr int kLeastBlocks = 10;  // of six numbers each
  if (blocks < kLeastBlocks) return 0.0;
  math::Vector6d mean = math::Vector6d::Zero();
  math::Matrix6d scatter = math::Matrix6d::Zero();
  for (int b = 0; b < blocks; ++b) {
    math::Vector6d sum = math::Vector6d::Zero();
    for (int i = 0; i < length; ++i) sum += residuals[static_cast<std::size_t>(b * length + i)];
    mean += sum / (length * blocks);
    scatter += sum * sum.transpose() / length;
  }
  scatter -= length * blocks * mean * mean.transpose();
  const double l = std::max(1.0, math::eigenvalues(scatter / ((blocks - 1) * std::max(1.0, slow_noise)))[5]);
  return 0.5 * blocks * (l - 1 - std::log(l));
}

// One pose of a group from its features' by their covariances, to first order about `X`; features as X_WG and covariance in G.
struct FeatureView {
  math::Pose X_WG;
  math::Matrix6d covariance;
};
math::Matrix6d pool(const std::vector<FeatureView>& views, math::Pose& X) {
  math::Matrix6d information = math::Matrix6d::Zero();
  math::Vector6d sum = math::Vector6d::Zero();
  for (const FeatureView& view : views) {
    const math::Matrix6d I = view.covariance.inverse();
    information += I;
    sum += I * math::log_se3(X.inverse() * view.X_WG);
  }
  const math::Matrix6d covariance = information.inverse();
  X = X * math::exp_se3(covariance * sum);
  return covariance;
}

}  // namespace

double gain_of_motion(const math::Matrix6d& scatter, double n, int removed) {
  const math::Vector6d l = math::eigenvalues(scatter);
  // Four directions are clean under up to two freedoms.
  constexpr double kNoisier = 1.5;
  const double level = std::clamp(l.segment(removed, 4 - removed).mean(), 1.0, kNoisier);
  double gain = 0;
  for (int k = removed; k < 6; ++k) {
    const double ratio = l[k] / level;
    if (ratio > 1) gain += 0.5 * n * (ratio - 1 - std::log(ratio));
  }
  return gain;
}

namespace {

// [nats] Of a short motion, whatever the frames at rest say: four in a row that stay this far off, reached in small steps, are no slow error, as slow errors are along few of the
// six directions and the noise is that along the worst.
double evidence_of_a_run(const std::vector<math::Vector6d>& whitened) {
  constexpr double kAway = 25.0;  // squared distance, of mean 6
  const auto is_away = [](const math::Vector6d& w) { return w.squaredNorm() > kAway; };
  if (std::ranges::count_if(whitened, is_away) < 4) return -HUGE_VAL;
  std::vector<bool> are_away;
  for (const math::Vector6d& w : without_spikes(whitened)) are_away.push_back(is_away(w));
  return moves_away(whitened, are_away) ? 0.5 * kAway : -HUGE_VAL;
}

}  // namespace

double motion_evidence(const Observations& observations, const PoseNoise& noise, double share,
                       const RigidOptions& options, bool over_time) {
  const double n = static_cast<double>(observations.poses.size());
  if (n < options.least_frames) return 0.0;
  math::Matrix6d scatter = math::Matrix6d::Zero(), apart = scatter;
  int far = 0;
  std::vector<math::Vector6d> all, near;
  std::vector<bool> are_far;
  near.reserve(observations.poses.size());
  const auto add = [&](const math::Vector6d& w) {
    const bool is_far = w.squaredNorm() > kFar;
    far += is_far;
    (is_far ? apart : scatter) += w * w.transpose();
    if (!is_far) near.push_back(w);
    all.push_back(w);
    are_far.push_back(is_far);
  };
  const auto evidence = [&] {
    // A frame in fifty may be a flipped marker; more than that is motion, and so is what leaves in small steps.
    if (50 * far > n || (far > 0 && moves_away(all, are_far))) scatter += apart;
    double result = over_time
                        ? -options.by_chance
                        : gain_of_motion(scatter / (n - 1), n, 0) - 0.5 * options.parameters * std::log(n);
    for (std::size_t k = 0; k < options.slow_noise.size(); ++k)
      if (std::isfinite(options.slow_noise[k]))
        result = std::max(
            result, gain_over_blocks(near, options.kBlocks[k], options.slow_noise[k]) - options.by_chance);
    return result > 0 ? result : std::max(result, evidence_of_a_run(all));
  };
  if (!observations.covariances.empty()) {
    for (const math::Vector6d& w : whitened_about_mean(observations)) add(w);
    return evidence();
  }
  for (const math::Vector6d& w : whitened_about_mean(observations, noise, share)) add(w);
  return evidence();
}

bool differ_by_noise(const Observations& observations, const PoseNoise& noise, double share) {
  // Of fewer frames the largest of six variances is twice the mean one by chance alone.
  constexpr std::size_t kLeastFrames = 40;
  constexpr double kMostLeftOut = 0.02;  // of the frames, as of a joint of the tree
  // Variance over the known one: noise along one direction is up to five times that along others (a marker's depth); what moves further is no noise even
  // where every frame is a configuration of its own.
  constexpr double kLargest = 25.0;
  // Variance over the part that is new in every frame: one for noise; the largest of six directions by chance 1 + 6 / sqrt(frames) in one of a thousand.
  constexpr double kByChance = 8.0;
  if (!observations.covariances.empty() || observations.poses.size() < kLeastFrames) return false;
  math::Matrix6d scatter = math::Matrix6d::Zero(), fresh = scatter;
  double n = 0;
  const math::Vector6d* last = nullptr;
  const std::vector<math::Vector6d> whitened = whitened_about_mean(observations, noise, share);
  for (const math::Vector6d& w : whitened) {
    if (w.squaredNorm() > kLargest * kFar) continue;
    scatter += w * w.transpose();
    if (last) fresh += 0.5 * (w - *last) * (w - *last).transpose();
    last = &w;
    n += 1;
  }
  if (n < (1 - kMostLeftOut) * static_cast<double>(whitened.size())) return false;
  scatter /= n;
  fresh /= n - 1;
  if (math::eigenvalues(scatter)[5] > kLargest) return false;
  fresh.diagonal().array() += 1e-3 * scatter.trace();
  const Eigen::VectorXd l = math::spectrum(scatter, fresh).values;
  return l.size() == 6 && l[5] < 1 + kByChance / std::sqrt(n);
}

std::vector<RigidGroup> rigid_groups(const PartTracks& tracks, const std::vector<PoseNoise>& features,
                                     const RigidOptions& options,
                                     const std::vector<std::vector<int>>& given) {
  const int count = static_cast<int>(tracks.parts.size());
  const int stride = stride_for(tracks, options.frames);
  // Sums of evidence between groups and the number of pairs that have any.
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(count, count), pairs = sum;
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      const Observations seen = relative_poses(tracks, i, j, stride);
      if (static_cast<int>(seen.poses.size()) < options.least_frames) continue;
      const PoseNoise pair{std::hypot(features[i].position, features[j].position),
                           std::hypot(features[i].angle, features[j].angle)};
      const double share = std::pow(features[i].angle / pair.angle, 2);
      sum(i, j) = sum(j, i) = motion_evidence(seen, pair, share, options);
      pairs(i, j) = pairs(j, i) = 1;
    }
  }
  std::vector<std::vector<int>> members(count);
  std::vector<bool> alive(count, true);
  for (int i = 0; i < count; ++i) members[i] = {i};
  const auto merge = [&](int i, int j) {
    members[i].insert(members[i].end(), members[j].begin(), members[j].end());
    alive[j] = false;
    sum.row(i) += sum.row(j);
    sum.col(i) = sum.row(i).transpose();
    pairs.row(i) += pairs.row(j);
    pairs.col(i) = pairs.row(i).transpose();
  };
  for (const std::vector<int>& part : given)
    for (std::size_t k = 1; k < part.size(); ++k) merge(part.front(), part[k]);
  while (true) {
    int best_i = -1, best_j = -1;
    double best = 0;
    for (int j = 0; j < count; ++j) {
      if (!alive[j]) continue;
      for (int i = 0; i < j; ++i) {
        if (!alive[i] || pairs(i, j) == 0) continue;
        const double mean = sum(i, j) / pairs(i, j);
        if (mean < best) {
          best = mean;
          best_i = i;
          best_j = j;
        }
      }
    }
    if (best_i < 0) break;
    merge(best_i, best_j);
  }
  std::vector<RigidGroup> groups;
  for (int i = 0; i < count; ++i) {
    if (!alive[i]) continue;
    std::sort(members[i].begin(), members[i].end());
    groups.push_back({members[i], {}});
  }
  std::sort(groups.begin(), groups.end(),
            [](const auto& a, const auto& b) { return a.parts[0] < b.parts[0]; });
  return groups;
}

PartTracks pooled_tracks(const PartTracks& tracks, std::vector<RigidGroup>& groups) {
  PartTracks pooled;
  pooled.resolution = tracks.resolution;
  pooled.times = tracks.times;
  pooled.notes = tracks.notes;
  const std::size_t frames = tracks.times.size();
  for (RigidGroup& group : groups) {
    PartTrack track = tracks.parts[group.parts[0]];
    group.X_GP.assign(group.parts.size(), math::Pose());
    // Offsets from what is known of the group so far, then the group from the offsets; features seen rarely with the
    // first one come in through the others.
    for (int round = 0; round < 3 && group.parts.size() > 1; ++round) {
      std::vector<bool> known(group.parts.size(), false);
      Eigen::Vector3d centre = Eigen::Vector3d::Zero();
      double placed = 0;
      for (std::size_t k = 0; k < group.parts.size(); ++k) {
        std::vector<math::Pose> offsets;
        for (std::size_t t = 0; t < frames; ++t)
          if (track.X_WP[t] && tracks.parts[group.parts[k]].X_WP[t])
            offsets.push_back(track.X_WP[t]->inverse() * *tracks.parts[group.parts[k]].X_WP[t]);
        if (offsets.empty()) continue;
        known[k] = true;
        group.X_GP[k] = mean_of(offsets);
        centre += group.X_GP[k].p();
        placed += 1;
      }
      for (math::Pose& X : group.X_GP) X = math::Pose::translation(-centre / placed) * X;
      for (std::size_t t = 0; t < frames; ++t) {
        Eigen::Matrix3d R_sum = Eigen::Matrix3d::Zero();
        int seen = 0;
        for (std::size_t k = 0; k < group.parts.size(); ++k) {
          const auto& X = tracks.parts[group.parts[k]].X_WP[t];
          if (!known[k] || !X) continue;
          R_sum += (X->q() * group.X_GP[k].q().conjugate()).toRotationMatrix();
          ++seen;
        }
        track.X_WP[t].reset();
        if (seen == 0) continue;
        const Eigen::Matrix3d R = math::nearest_rotation(R_sum);
        Eigen::Vector3d p = Eigen::Vector3d::Zero();
        for (std::size_t k = 0; k < group.parts.size(); ++k) {
          const auto& X = tracks.parts[group.parts[k]].X_WP[t];
          if (known[k] && X) p += (X->p() - R * group.X_GP[k].p()) / seen;
        }
        track.X_WP[t] = math::Pose(R, p);
        if (track.covariances.empty()) continue;
        std::vector<FeatureView> views;
        for (std::size_t k = 0; k < group.parts.size(); ++k) {
          const PartTrack& part = tracks.parts[group.parts[k]];
          if (!known[k] || !part.X_WP[t]) continue;
          const math::Matrix6d to_G = math::adjoint(group.X_GP[k]);
          views.push_back(
              {*part.X_WP[t] * group.X_GP[k].inverse(), to_G * part.covariances[t] * to_G.transpose()});
        }
        track.covariances[t] = pool(views, *track.X_WP[t]);
      }
    }
    track.seen = static_cast<int>(
        std::count_if(track.X_WP.begin(), track.X_WP.end(), [](const auto& X) { return X.has_value(); }));
    for (const int part : group.parts) track.moves = track.moves || tracks.parts[part].moves;
    pooled.parts.push_back(std::move(track));
  }
  return pooled;
}

PoseNoise noise_of_nearest(const PartTracks& tracks, const RigidOptions& options) {
  const int count = static_cast<int>(tracks.parts.size());
  const int stride = stride_for(tracks, std::min(options.frames, 64));
  const auto median = [](std::vector<double> x) {
    std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
    return x[x.size() / 2];
  };
  std::vector<double> nearest(count, std::numeric_limits<double>::infinity()), angle2 = nearest,
                                                                               position2 = nearest;
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      const Observations seen = relative_poses(tracks, i, j, stride);
      if (static_cast<int>(seen.poses.size()) < options.least_frames) continue;
      const RigidResiduals e = rigid_residuals(seen, 0.5);
      double a2 = 0, c2 = 0;
      const double n = static_cast<double>(e.a.size()) - 1;
      for (std::size_t k = 0; k < e.a.size(); ++k) {
        a2 += e.a[k].squaredNorm() / (3 * n);
        c2 += e.c[k].squaredNorm() / (3 * n);
      }
      c2 = std::max(c2 - a2 * e.lever.squaredNorm() / 6, 1e-3 * c2);
      for (const int k : {i, j}) {
        // Nearest in both: a slide leaves orientations alone, a turn about a near axis positions.
        if (nearest[k] <= a2 * c2) continue;
        nearest[k] = a2 * c2;
        angle2[k] = a2 / 2;
        position2[k] = c2 / 2;
      }
    }
  }
  return {std::sqrt(median(position2)), std::sqrt(median(angle2))};
}

}  // namespace prehend::articulation
