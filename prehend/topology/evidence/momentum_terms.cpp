#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <prehend/articulation/displaced_joint.h>
#include <prehend/math/so3.h>
#include <prehend/math/spatial.h>
#include <prehend/topology/evidence/momentum_terms.h>

namespace prehend::topology {
namespace {

using math::Matrix6d;
using math::Vector6d;
using model::JointType;

// Sums of masses: what a set of links weighs, rigidly joined, about the origin in the world's axes.
struct Composite {
  double mass{0.0};
  Eigen::Vector3d moment{Eigen::Vector3d::Zero()};   // [kg m]
  Eigen::Matrix3d inertia{Eigen::Matrix3d::Zero()};  // [kg m^2] about the origin

  void add(const Composite& other) {
    mass += other.mass;
    moment += other.moment;
    inertia += other.inertia;
  }
  Vector6d momentum(const Vector6d& V) const {
    const Eigen::Vector3d w = V.head<3>(), v = V.tail<3>();
    Vector6d h;
    h << inertia * w + moment.cross(v), mass * v + w.cross(moment);
    return h;
  }
  Matrix6d matrix() const {
    Matrix6d M;
    M << inertia, math::skew(moment), -math::skew(moment), mass * Eigen::Matrix3d::Identity();
    return M;
  }
};

Composite composite_of(const math::SpatialInertia& body, const Eigen::Quaterniond& q,
                       const Eigen::Vector3d& p) {
  const Eigen::Matrix3d R = q.toRotationMatrix();
  const Eigen::Vector3d c = p + R * body.com;
  Composite out;
  out.mass = body.mass;
  out.moment = body.mass * c;
  out.inertia = R * body.I_com * R.transpose() +
                body.mass * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
  return out;
}

struct Middle {
  Eigen::Quaterniond q;
  Eigen::Vector3d p;               // from the origin
  Eigen::Vector3d turn_L, step_W;  // of the link within the step
};

Middle middle_of(const math::Pose& X0, const math::Pose& X1, const Eigen::Vector3d& origin) {
  Middle m;
  m.turn_L = math::log_so3(X0.q().conjugate() * X1.q());
  m.q = X0.q() * math::exp_so3(0.5 * m.turn_L);
  m.p = 0.5 * (X0.p() + X1.p()) - origin;
  m.step_W = X1.p() - X0.p();
  return m;
}

// Twist of the child in the parent's axes at the parent's origin, times the step.
Vector6d joint_step(const articulation::Joint& joint, const articulation::State& q0,
                    const articulation::State& q1) {
  Vector6d V = Vector6d::Zero();
  const Eigen::Matrix3d R = joint.X_FJ.R();
  const Eigen::Vector3d a = R.col(2), p = joint.X_FJ.p();
  switch (joint.type) {
    case JointType::prismatic:
      V.tail<3>() = (q1[0] - q0[0]) * a;
      break;
    case JointType::revolute:
    case JointType::screw:
      V << (q1[0] - q0[0]) * a, (q1[0] - q0[0]) * (p.cross(a) + joint.pitch * a);
      break;
    case JointType::spherical: {
      const Eigen::Vector3d w =
          R * math::log_so3(math::exp_so3(q1.head<3>()) * math::exp_so3(q0.head<3>()).conjugate());
      V << w, p.cross(w);
      break;
    }
    default:
      break;
  }
  return V;
}

// Of the link within the step, in the world's axes at the origin.
Vector6d twist_of(const Middle& m) {
  Vector6d V;
  const Eigen::Vector3d w = m.q * m.turn_L;
  V << w, m.step_W + m.p.cross(w);
  return V;
}

Vector6d in_world(const Middle& F, const Vector6d& V_F) {
  Vector6d V;
  const Eigen::Vector3d w = F.q * V_F.head<3>();
  V << w, F.q * V_F.tail<3>() + F.p.cross(w);
  return V;
}

struct LinkMotion {
  std::vector<std::vector<Middle>> middle;    // [link][block], between the block before and this one
  std::vector<std::vector<Composite>> below;  // likewise, of the link and all that hangs on it
};

LinkMotion link_motion(const ArticulatedObject& object, const MotionBlocks& blocks) {
  const std::size_t links = object.links.size(), count = blocks.size();
  LinkMotion out;
  out.middle.resize(links);
  out.below.assign(links, std::vector<Composite>(count));
  for (std::size_t i = 0; i < links; ++i) {
    out.middle[i].resize(count);
    for (std::size_t b = 1; b < count; ++b) {
      out.middle[i][b] = middle_of(blocks.X_WL[i][b - 1], blocks.X_WL[i][b], blocks.origin);
      out.below[i][b] = composite_of(object.links[i].inertia, out.middle[i][b].q, out.middle[i][b].p);
    }
  }
  for (std::size_t i = links - 1; i > 0; --i)
    for (std::size_t b = 1; b < count; ++b)
      out.below[static_cast<std::size_t>(object.links[i].parent)][b].add(out.below[i][b]);
  return out;
}

// Rate of a momentum given per step (times the step's duration), averaged by each window.
template <class Momentum>
Eigen::VectorXd averaged_rate(const MotionBlocks& blocks, const LinkBalance& balance,
                              const Momentum& momentum) {
  std::vector<Vector6d> h(blocks.size(), Vector6d::Zero());
  for (std::size_t b = 1; b < blocks.size(); ++b) h[b] = momentum(b) / (blocks.t[b] - blocks.t[b - 1]);
  const auto rate = [&](int block) -> Vector6d {
    const std::size_t b = static_cast<std::size_t>(block);
    return (h[b + 1] - h[b]) / (0.5 * (blocks.t[b + 1] - blocks.t[b - 1]));
  };
  Eigen::VectorXd out(static_cast<Eigen::Index>(6 * balance.size()));
  for (std::size_t k = 0; k < balance.size(); ++k)
    out.segment<6>(static_cast<Eigen::Index>(6 * k)) = balance.average(rate, balance.windows[k]);
  return out;
}

// Of a joint j that moves as `joint` says.
Eigen::VectorXd joint_term(const LinkMotion& motion, std::size_t j, std::size_t parent,
                           const MotionBlocks& blocks, const LinkBalance& balance,
                           const articulation::Joint& joint, const articulation::PoseNoise& noise) {
  const std::vector<articulation::State> q = block_states(joint, blocks, static_cast<int>(j), noise);
  return averaged_rate(blocks, balance, [&](std::size_t b) {
    return motion.below[j + 1][b].momentum(
        in_world(motion.middle[parent][b], joint_step(joint, q[b - 1], q[b])));
  });
}

}  // namespace

CombinationProblem MomentumTerms::problem(const std::vector<double>& cost) const {
  Eigen::VectorXd c = constant;
  Eigen::MatrixXd T = terms;
  for (std::size_t w = 0; w < whitening.size(); ++w) {
    const Eigen::Index row = static_cast<Eigen::Index>(6 * w);
    c.segment<6>(row) = whitening[w].triangularView<Eigen::Lower>().solve(Vector6d(c.segment<6>(row)));
    if (T.cols() > 0) whitening[w].triangularView<Eigen::Lower>().solveInPlace(T.middleRows<6>(row));
  }
  return combination_problem(c, T, options, cost);
}

double MomentumTerms::source_error(const std::vector<int>& choice, double rows_per_window) const {
  Eigen::VectorXd residual = constant;
  Eigen::Index first = 0;
  for (std::size_t j = 0; j < choice.size(); ++j) {
    residual += terms.col(first + choice[j]);
    first += options[j];
  }
  double sum = 0.0;
  for (std::size_t w = 0; w < whitening.size(); ++w)
    sum += residual.segment<6>(static_cast<Eigen::Index>(6 * w)).norm();
  return sum * rows_per_window;
}

double MomentumTerms::joint_error(int joint, int option, const Eigen::MatrixXd& spread) const {
  Eigen::Index column = option;
  for (int j = 0; j < joint; ++j) column += options[static_cast<std::size_t>(j)];
  double sum = 0.0;
  Eigen::MatrixXd N = Eigen::MatrixXd::Identity(spread.cols(), spread.cols());
  Eigen::VectorXd g = Eigen::VectorXd::Zero(spread.cols());
  for (std::size_t w = 0; w < whitening.size(); ++w) {
    const Eigen::Index row = static_cast<Eigen::Index>(6 * w);
    const auto L = joint_whitening[static_cast<std::size_t>(joint)][w].triangularView<Eigen::Lower>();
    const Vector6d r = L.solve(Vector6d(balance.segment<6>(row) + terms.col(column).segment<6>(row) -
                                        measured.col(joint).segment<6>(row)));
    sum += r.squaredNorm();
    if (spread.cols() == 0) continue;
    const Eigen::MatrixXd B = L.solve(Eigen::MatrixXd(spread.middleRows<6>(row)));
    N += B.transpose() * B;
    g += B.transpose() * r;
  }
  // r^T (C + B B^T)^-1 r
  return spread.cols() == 0 ? sum : sum - g.dot(N.ldlt().solve(g));
}

Eigen::MatrixXd term_spread(const ArticulatedObject& object, const MotionBlocks& blocks,
                            const LinkBalance& balance, int joint, const articulation::JointFit& fit,
                            const RecordingNoise& noise) {
  constexpr double kStep = 1e-6;  // [rad] [m] [m/rad]
  const Eigen::Index rows = static_cast<Eigen::Index>(6 * balance.size()), count = fit.covariance.cols();
  if (fit.joint.freedoms() == 0 || count == 0 || !fit.covariance.allFinite())
    return Eigen::MatrixXd::Zero(rows, 0);
  const LinkMotion motion = link_motion(object, blocks);
  const std::size_t j = static_cast<std::size_t>(joint),
                    parent = static_cast<std::size_t>(object.links[j + 1].parent);
  const Eigen::VectorXd middle = joint_term(motion, j, parent, blocks, balance, fit.joint, noise.pose);
  Eigen::MatrixXd J(rows, count);
  for (Eigen::Index k = 0; k < count; ++k)
    J.col(k) = (joint_term(motion, j, parent, blocks, balance,
                           articulation::displaced(fit.joint, static_cast<int>(k), kStep), noise.pose) -
                middle) /
               kStep;
  // By eigenvectors: directions that the poses leave open may leave it singular.
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(fit.covariance);
  return J * eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

MomentumTerms momentum_terms(const ArticulatedObject& object, const Recording& recording,
                             const MotionBlocks& blocks, const LinkBalance& balance,
                             const std::vector<std::vector<articulation::Joint>>& joints,
                             const RecordingNoise& noise) {
  MomentumTerms out;
  Eigen::Index columns = 0;
  for (const auto& mine : joints) {
    out.options.push_back(static_cast<int>(mine.size()));
    columns += static_cast<Eigen::Index>(mine.size());
  }
  const std::size_t windows = !recording.is_complete() ? 0 : balance.size();
  const Eigen::Index rows = static_cast<Eigen::Index>(6 * windows);
  out.constant = Eigen::VectorXd::Zero(rows);
  out.terms = Eigen::MatrixXd::Zero(rows, columns);
  out.balance = Eigen::VectorXd::Zero(rows);
  out.measured = Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(joints.size()));
  if (windows == 0) return out;

  const std::size_t links = object.links.size();
  const LinkMotion motion = link_motion(object, blocks);
  const auto& [middle, below] = motion;
  out.constant = averaged_rate(blocks, balance,
                               [&](std::size_t b) { return below[0][b].momentum(twist_of(middle[0][b])); });
  Vector6d variance;
  variance << Eigen::Vector3d::Constant(noise.pose.angle * noise.pose.angle),
      Eigen::Vector3d::Constant(noise.pose.position * noise.pose.position);
  variance /= blocks.rows_per_block;
  std::vector<Matrix6d> total(windows);  // covariance with all poses as they are
  for (std::size_t k = 0; k < windows; ++k) {
    Vector6d known = Vector6d::Zero();
    Matrix6d C = balance.total_covariance(k);
    for (std::size_t i = 0; i < links; ++i) known += balance.known[i][k];
    out.constant.segment<6>(static_cast<Eigen::Index>(6 * k)) -= known;
    total[k] = C;
    for (std::size_t i = 0; i < links; ++i)
      out.balance.segment<6>(static_cast<Eigen::Index>(6 * k)) += balance.F[i][k];
    const std::size_t c = static_cast<std::size_t>(balance.windows[k].centre);
    const Matrix6d A =
        below[0][c].matrix() * math::adjoint(math::Pose(middle[0][c].q.normalized(), middle[0][c].p));
    C += balance.windows[k].g2 * (A * variance.asDiagonal() * A.transpose());
    out.whitening.push_back(Eigen::LLT<Matrix6d>(C).matrixL());
  }
  Eigen::Index column = 0;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const std::size_t parent = static_cast<std::size_t>(object.links[j + 1].parent);
    out.measured.col(static_cast<Eigen::Index>(j)) = averaged_rate(blocks, balance, [&](std::size_t b) {
      return below[j + 1][b].momentum(twist_of(middle[j + 1][b]) - twist_of(middle[parent][b]));
    });
    std::vector<Matrix6d>& mine = out.joint_whitening.emplace_back();
    for (std::size_t k = 0; k < windows; ++k) {
      const std::size_t c = static_cast<std::size_t>(balance.windows[k].centre);
      Matrix6d C = total[k];
      for (const std::size_t i : {parent, j + 1}) {
        const Matrix6d A =
            below[j + 1][c].matrix() * math::adjoint(math::Pose(middle[i][c].q.normalized(), middle[i][c].p));
        C += balance.windows[k].g2 * (A * variance.asDiagonal() * A.transpose());
      }
      mine.push_back(Eigen::LLT<Matrix6d>(C).matrixL());
    }
    for (const articulation::Joint& joint : joints[j]) {
      if (joint.freedoms() > 0)
        out.terms.col(column) = joint_term(motion, j, parent, blocks, balance, joint, noise.pose);
      ++column;
    }
  }
  return out;
}

}  // namespace prehend::topology
