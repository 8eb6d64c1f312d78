#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <prehend/math/angles.h>
#include <prehend/math/house/infinity.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>
#include <prehend/topology/evidence/joint_evidence.h>

namespace prehend::topology {
namespace {

using articulation::FitStatus;
using articulation::JointFit;
using articulation::PoseNoise;
using articulation::State;
using model::JointType;

using math::kInfinity;

struct RelativePoses {
  articulation::Observations observations;
  double rows_per_frame{1.0};
};

// [first, count) of the blocks of each frame: equal numbers of blocks, or of rows where these differ from block to block.
std::vector<std::pair<std::size_t, std::size_t>> frame_blocks(const MotionBlocks& blocks, int frames) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  const std::size_t together = std::max<std::size_t>(
      1, (blocks.size() + static_cast<std::size_t>(frames) - 1) / static_cast<std::size_t>(frames));
  const int wanted = static_cast<int>(together) * blocks.rows_per_block;
  std::size_t first = 0;
  int rows = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (b > first && !blocks.follows[b]) {
      first = b;
      rows = 0;
    }
    rows += blocks.rows.empty() ? blocks.rows_per_block : blocks.rows[b];
    if (rows < wanted) continue;
    out.emplace_back(first, b + 1 - first);
    first = b + 1;
    rows = 0;
  }
  return out;
}

// Logarithms of a joint's motion about the group's middle stay on the joint, so averages are poses of the joint.
RelativePoses relative_poses(const MotionBlocks& blocks, int joint, int frames) {
  RelativePoses out;
  const std::vector<math::Pose>& X_PC = blocks.X_PC[static_cast<std::size_t>(joint)];
  std::vector<math::Pose> poses;
  double shares = 0.0;  // sum of 1 / rows
  for (const auto& [first, count] : frame_blocks(blocks, frames)) {
    double rows = 0.0;
    math::Vector6d sum = math::Vector6d::Zero();
    const math::Pose middle = X_PC[first + count / 2], inverse = middle.inverse();
    for (std::size_t b = first; b < first + count; ++b) {
      const double mine = blocks.rows.empty() ? blocks.rows_per_block : blocks.rows[b];
      rows += mine;
      if (count > 1) sum += mine * math::log_se3(inverse * X_PC[b]);
    }
    poses.push_back(count > 1 ? middle * math::exp_se3(sum / rows) : middle);
    shares += 1.0 / rows;
  }
  out.observations = articulation::observations_of(poses, true);
  if (!poses.empty()) out.rows_per_frame = static_cast<double>(poses.size()) / shares;
  return out;
}

// Share of independent frames, from the first-order correlation of residuals in units of the noise.
double independent_share(const JointFit& fit, const articulation::Observations& observations) {
  double product = 0.0, square = 0.0;
  math::Vector6d last = math::Vector6d::Zero();
  for (std::size_t i = 0; i < observations.poses.size(); ++i) {
    math::Vector6d e = math::Vector6d::Zero();
    if (fit.weights[i] >= 0.5) {
      const math::Pose& X = observations.poses[i].X_FM;
      const math::Pose Y = fit.joint.forward(*fit.states[i]);
      e << math::log_so3(Y.q().conjugate() * X.q()) / fit.noise.angle, (X.p() - Y.p()) / fit.noise.position;
    }
    product += e.dot(last);
    square += e.squaredNorm();
    last = e;
  }
  const double correlation = square > 0.0 ? product / square : 0.0;
  // Within what independent residuals of some hundred frames show by chance.
  if (correlation < 0.2) return 1.0;
  return (1.0 - correlation) / (1.0 + correlation);
}

double prior(const JointFit& fit, double size, const KinematicOptions& options) {
  double log_prior = fit.log_prior;
  if (fit.joint.type != JointType::screw) return log_prior;
  // Pitch: hardly beyond the object's size in one radian, and rarely below what is worth the name.
  const double pitch = std::abs(fit.joint.pitch),
               deviation = std::max(fit.deviations.pitch.value_or(0.0), 1e-12);
  const double named = (pitch * pitch + deviation * deviation) / (options.usual_pitch * options.usual_pitch);
  log_prior += std::log(-std::expm1(-0.5 * std::max(named, 1e-12)));
  const double scale = 0.5 * size;
  log_prior -= 0.5 * (pitch / scale) * (pitch / scale);
  log_prior += std::log(options.screw_share);
  return log_prior + std::min(0.0, std::log(deviation * std::sqrt(2.0 * math::kPi) / scale));
}

// [nats per frame] Of a Gaussian.
double entropy(double variance) {
  return 0.5 * std::log(2.0 * math::kPi * std::numbers::e * std::max(variance, 1e-300));
}

// Angles as the circle has them: about their mean direction.
double variance_on_circle(const std::vector<std::optional<State>>& states, double count) {
  double sine = 0.0, cosine = 0.0, square = 0.0, sum = 0.0;
  for (const auto& q : states)
    if (q) {
      sine += std::sin((*q)[0]);
      cosine += std::cos((*q)[0]);
    }
  const double middle = std::atan2(sine, cosine);
  for (const auto& q : states)
    if (q) {
      const double x = std::remainder((*q)[0] - middle, 2.0 * math::kPi);
      sum += x;
      square += x * x;
    }
  return square / count - sum * sum / (count * count);
}

// A pose does not show full turns: states of a hinge that went round, as a Gaussian along the line, cost more than on the circle (where they
// lie about some angle, or anywhere). What a joint that turns is owed for that per recording. About one axis for a ball, whose rotation
// vectors know no full turns.
double owed_for_turning(const JointFit& fit) {
  if (fit.joint.type != JointType::revolute && fit.joint.type != JointType::spherical) return 0.0;
  const int n = fit.joint.freedoms();
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  Eigen::Matrix3d square = Eigen::Matrix3d::Zero();
  double count = 0.0;
  for (const auto& q : fit.states) {
    if (!q) continue;
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    x.head(n) = *q;
    mean += x;
    square += x * x.transpose();
    count += 1.0;
  }
  if (count < 2.0) return 0.0;
  mean /= count;
  const Eigen::Matrix3d covariance = square / count - mean * mean.transpose();
  const double counted = entropy(
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(covariance, Eigen::EigenvaluesOnly).eigenvalues()[2]);
  double on_circle = std::log(2.0 * math::kPi);
  if (n == 1) on_circle = std::min(on_circle, entropy(variance_on_circle(fit.states, count)));
  return count * std::max(0.0, counted - on_circle);
}

// Of the type that leaves least.
const JointFit* least_residual(const JointEvidence& evidence) {
  const JointFit* least = nullptr;
  for (const TypeEvidence& candidate : evidence.types)
    if (candidate.fit.status != FitStatus::failed &&
        (least == nullptr || candidate.fit.log_likelihood_independent > least->log_likelihood_independent))
      least = &candidate.fit;
  return least;
}

}  // namespace

PoseNoise frame_noise(const PoseNoise& row_noise, double rows, double size, const KinematicOptions& options) {
  return {std::hypot(std::sqrt(2.0 / rows) * row_noise.position, options.position_floor * size),
          std::hypot(std::sqrt(2.0 / rows) * row_noise.angle, options.angle_floor)};
}

PoseNoise spread_of(const articulation::Observations& frames) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  double position = 0.0, angle = 0.0;
  const double count = static_cast<double>(frames.poses.size());
  for (const articulation::Observation& o : frames.poses) mean += o.X_FM.p() / count;
  const Eigen::Quaterniond middle = frames.poses[frames.poses.size() / 2].X_FM.q().conjugate();
  for (const articulation::Observation& o : frames.poses) {
    position += (o.X_FM.p() - mean).squaredNorm() / count;
    angle += math::log_so3(middle * o.X_FM.q()).squaredNorm() / count;
  }
  return {std::sqrt(position / 3.0), std::sqrt(angle / 3.0)};
}

bool enlarge_noise(JointEvidence& out, const PoseNoise& stated, const JointFit& least,
                   const articulation::Observations& frames) {
  // The lever makes position residuals larger than position noise alone: compare with what the noise explains there.
  const double lever = frames.poses.front().X_FM.p().norm();
  const double position = std::hypot(stated.position, std::sqrt(0.5) * lever * stated.angle);
  out.misfit = std::max(least.rms_position / position, least.rms_angle / stated.angle);
  if (out.misfit < 1.2) return false;  // by chance: rms of some hundred residuals
  out.noise.position = std::max(stated.position, stated.position * least.rms_position / position);
  out.noise.angle = std::max(stated.angle, least.rms_angle);
  return true;
}

double size_of(const ArticulatedObject& object, const MotionBlocks& blocks) {
  std::vector<Eigen::Vector3d> points;
  if (blocks.size() == 0) return 1.0;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < object.links.size(); ++i)
    for (const Eigen::Vector3d& p :
         {blocks.X_WL[i][0].p(), blocks.X_WL[i][0] * object.links[i].inertia.com}) {
      points.push_back(p);
      mean += p;
    }
  mean /= static_cast<double>(points.size());
  double size = 0.0;
  for (const Eigen::Vector3d& p : points) size = std::max(size, (p - mean).norm());
  for (const Link& link : object.links)  // a compact object: its radius of gyration
    if (link.inertia.mass > 0.0)
      size = std::max(size, std::sqrt(1.5 * link.inertia.I_com.trace() / link.inertia.mass));
  return size > 0.0 ? size : 1.0;
}

TypeEvidence fit_type(JointType type, const articulation::Observations& frames, const PoseNoise& noise,
                      double size, bool refined) {
  articulation::FitOptions fit_options;
  fit_options.radius_scale = 2.0 * size;
  fit_options.noise = noise;
  fit_options.method = refined ? articulation::FitMethod::likelihood : articulation::FitMethod::closed_form;
  return {type, articulation::fit_joint(type, frames, fit_options), 0.0};
}

bool is_promising(const TypeEvidence& candidate, const std::vector<TypeEvidence>& all, const PoseNoise& noise,
                  const articulation::Observations& frames) {
  // [nats] What maximum likelihood gains on a closed form at most, and shares of noise and frames within which a type explains
  // everything: they save fits, and trade time for types that look hopeless and are not.
  constexpr double kHopeless = 300.0, kNoise = 1.5, kOutliers = 0.05;
  const double lever = frames.poses.front().X_FM.p().norm();
  const double position = std::hypot(noise.position, std::sqrt(0.5) * lever * noise.angle);
  for (const TypeEvidence& other : all) {
    const JointFit& fit = other.fit;
    const bool explains_all = fit.status != FitStatus::failed && fit.rms_position < kNoise * position &&
                              fit.rms_angle < kNoise * noise.angle &&
                              fit.outliers <= kOutliers * static_cast<double>(frames.poses.size());
    if (explains_all && candidate.fit.log_likelihood_independent < fit.log_likelihood_independent - kHopeless)
      return false;
  }
  return true;
}

void weigh_types(JointEvidence& out, const articulation::Observations& frames, double size,
                 const KinematicOptions& options) {
  out.spread = spread_of(frames);
  const JointFit* hinge = nullptr;
  for (const TypeEvidence& candidate : out.types)
    if (candidate.type == JointType::revolute && candidate.fit.status != FitStatus::failed)
      hinge = &candidate.fit;
  double rigid = -kInfinity;
  for (TypeEvidence& candidate : out.types) {
    const double likelihood = candidate.fit.log_likelihood_independent + owed_for_turning(candidate.fit);
    if (candidate.fit.status == FitStatus::failed || !std::isfinite(likelihood)) {
      candidate.fit.status = FitStatus::failed;
      candidate.evidence = -1e9;
      continue;
    }
    candidate.evidence = out.independent * likelihood + prior(candidate.fit, size, options);
    if (candidate.type == JointType::rigid) rigid = candidate.evidence;
    // A screw that is a hinge has no pitch to count its turns by.
    if (candidate.type == JointType::screw && hinge != nullptr &&
        std::abs(candidate.fit.joint.pitch) < 1e-4 * options.usual_pitch) {
      candidate.fit = *hinge;
      candidate.fit.joint.type = JointType::screw;
      candidate.evidence =
          std::min(candidate.evidence, out.independent * hinge->log_likelihood_independent - 20.0);
    }
  }
  if (rigid == -kInfinity)
    rigid =
        out.independent * fit_type(JointType::rigid, frames, out.noise, size).fit.log_likelihood_independent;
  // Every type may have stood still, and a ball may have turned about one axis only: poses alone cannot hold it against them.
  double of_hinge = rigid;
  for (TypeEvidence& candidate : out.types) {
    if (candidate.fit.status == FitStatus::failed) continue;
    candidate.evidence = std::max(candidate.evidence, rigid);
    if (candidate.type == JointType::revolute) of_hinge = candidate.evidence;
  }
  for (TypeEvidence& candidate : out.types)
    if (candidate.type == JointType::spherical && candidate.fit.status != FitStatus::failed)
      candidate.evidence = std::max(candidate.evidence, of_hinge);
  out.motion = -kInfinity;
  for (const TypeEvidence& candidate : out.types) {
    if (candidate.type == JointType::rigid || candidate.fit.status == FitStatus::failed) continue;
    const double further =
        articulation::parameters_with_zero(candidate.type) + candidate.fit.joint.freedoms() - 6;
    const double ahead = out.independent * candidate.fit.log_likelihood_independent - rigid -
                         0.5 * further * std::log(std::max(2.0, out.independent * out.frames));
    out.motion = std::max(out.motion, ahead);
  }
}

JointEvidence kinematic_evidence(const ArticulatedObject& object, const MotionBlocks& blocks, int joint,
                                 const PoseNoise& row_noise, const std::vector<JointType>& types,
                                 const KinematicOptions& options) {
  JointEvidence out;
  const RelativePoses seen = relative_poses(blocks, joint, options.frames);
  const double size = size_of(object, blocks);
  out.frames = static_cast<int>(seen.observations.poses.size());
  const PoseNoise stated = frame_noise(row_noise, seen.rows_per_frame, size, options);
  out.noise = stated;
  for (int pass = 0; pass < 2; ++pass) {
    out.types.clear();
    for (const JointType type : types)
      out.types.push_back(fit_type(type, seen.observations, out.noise, size, false));
    const std::vector<TypeEvidence> closed = out.types;
    for (TypeEvidence& candidate : out.types) {
      math::check_interrupt();
      if (is_promising(candidate, closed, out.noise, seen.observations))
        candidate = fit_type(candidate.type, seen.observations, out.noise, size);
    }
    const JointFit* least = least_residual(out);
    if (least == nullptr) return out;
    out.independent = independent_share(*least, seen.observations);
    if (pass > 0 || !enlarge_noise(out, stated, *least, seen.observations)) break;
  }
  weigh_types(out, seen.observations, size, options);
  return out;
}

std::vector<State> block_states(const articulation::Joint& joint, const MotionBlocks& blocks, int number,
                                const PoseNoise& row_noise) {
  std::vector<State> states;
  states.reserve(blocks.size());
  const int freedoms = joint.freedoms();
  // Turns of a screw are counted by continuity: a small pitch does not show them.
  articulation::Joint by_angle = joint;
  if (joint.type == JointType::screw) by_angle.type = JointType::revolute;
  const PoseNoise noise{std::max(row_noise.position, 1e-9), std::max(row_noise.angle, 1e-9)};
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const math::Pose& X = blocks.X_PC[static_cast<std::size_t>(number)][b];
    State q = by_angle.inverse(X);
    const bool turns = by_angle.type == JointType::revolute;
    if (turns && b == 0 && joint.type == JointType::screw) q = joint.inverse(X);
    if (turns && !states.empty())
      q[0] += 2.0 * math::kPi * std::round((states.back()[0] - q[0]) / (2.0 * math::kPi));
    if (freedoms > 0) {
      const math::Matrix6d C = articulation::relative_covariance(noise, noise, X);
      const Eigen::LDLT<math::Matrix6d> whitening(C);
      // One step suffices: the state is within the noise already.
      const articulation::StateJacobian J = joint.jacobian(q);
      const math::Vector6d e =
          q.allFinite() ? math::log_se3(joint.forward(q).inverse() * X) : math::Vector6d::Zero();
      const articulation::StateJacobian CJ = whitening.solve(J);
      const State step = (J.transpose() * CJ).ldlt().solve(CJ.transpose() * e);
      // Of a type that fits (a screw that advances kilometres a turn does not) it is small.
      if (joint.type == JointType::prismatic || step.norm() < 1.0) q += step;
    }
    // A type that does not fit at all may have no state here: as if it stood still.
    if (!q.allFinite()) q = states.empty() ? State(State::Zero(freedoms)) : states.back();
    states.push_back(q);
  }
  return states;
}

}  // namespace prehend::topology
