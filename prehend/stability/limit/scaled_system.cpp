#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include <prehend/math/house/compiled_solves.h>
#include <prehend/stability/limit/scaled_system.h>

namespace prehend::stability {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// [-] Pivots of the bilateral rows (unit size each), as a share of the largest, below which a row repeats others, as those of a closed planar
// loop do. Files give axes and anchors to six digits at least; what a true constraint leaves is 1e-3 and more.
constexpr double kRepeats = 1e-6;

ScaledRow scaled_row(const JointRow& row, const ScaledSystem& scaled) {
  ScaledRow made;
  double size = 0.0;
  for (const JointRow::Part& part : row.parts) {
    const Vector3d f = part.wrench.tail<3>();
    math::Vector6d wrench;
    wrench << part.wrench.head<3>() / scaled.length - scaled.reference[part.body].cross(f), f;
    made.parts.emplace_back(part.body.value(), wrench);
    size += wrench.squaredNorm();
  }
  size = std::sqrt(size);
  if (!(size > 0.0)) {
    ScaledRow nothing;
    nothing.kind = ScaledRow::Kind::constant;
    return nothing;
  }
  for (auto& part : made.parts) part.second /= size;
  made.unit = scaled.weight / size;
  const double lower = row.lower / made.unit, upper = row.upper / made.unit;
  if (row.is_bilateral()) return made;
  if (std::isinf(upper) || std::isinf(lower)) {
    made.kind = ScaledRow::Kind::one_sided;
    made.side = std::isinf(upper) ? 1.0 : -1.0;
    made.offset = std::isinf(upper) ? lower : upper;
    return made;
  }
  made.offset = 0.5 * (lower + upper);
  made.radius = 0.5 * (upper - lower);
  made.kind = made.radius > 0.0 ? ScaledRow::Kind::bounded : ScaledRow::Kind::constant;
  return made;
}

// Bodies by the bilateral rows that connect them.
std::vector<JointedBodies> connected(const ScaledSystem& scaled) {
  std::vector<int> root(static_cast<std::size_t>(scaled.bodies));
  for (int i = 0; i < scaled.bodies; ++i) root[i] = i;
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const ScaledRow& row : scaled.joint_rows) {
    if (row.kind != ScaledRow::Kind::bilateral) continue;
    for (const auto& [body, wrench] : row.parts) root[find(body)] = find(row.parts.front().first);
  }
  std::vector<JointedBodies> found;
  std::vector<int> place(static_cast<std::size_t>(scaled.bodies), -1);
  for (int i = 0; i < scaled.bodies; ++i) {
    int& at = place[find(i)];
    if (at < 0) {
      at = static_cast<int>(found.size());
      found.emplace_back();
    }
    found[at].bodies.push_back(i);
  }
  for (std::size_t r = 0; r < scaled.joint_rows.size(); ++r) {
    const ScaledRow& row = scaled.joint_rows[r];
    if (row.kind == ScaledRow::Kind::bilateral)
      found[place[find(row.parts.front().first)]].rows.push_back(static_cast<int>(r));
  }
  return found;
}

void find_freedoms(const ScaledSystem& scaled, JointedBodies& jointed) {
  const auto n = static_cast<Eigen::Index>(6 * jointed.bodies.size());
  if (jointed.rows.empty()) {
    jointed.basis = Eigen::MatrixXd::Identity(n, n);
    return;
  }
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(jointed.rows.size()), n);
  for (std::size_t r = 0; r < jointed.rows.size(); ++r) {
    for (const auto& [body, wrench] : scaled.joint_rows[jointed.rows[r]].parts) {
      const auto at = std::lower_bound(jointed.bodies.begin(), jointed.bodies.end(), body);
      J.block<1, 6>(static_cast<Eigen::Index>(r), 6 * (at - jointed.bodies.begin())) += wrench.transpose();
    }
  }
  // J^T P = Q1 [R11 R12]: what is orthogonal to Q1 moves no joint, and the joint forces of least norm follow from the rows of R. (A
  // singular value decomposition tells the same and takes thirteen seconds to compile.)
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(Eigen::MatrixXd(J.transpose()));
  qr.setThreshold(kRepeats);
  const Eigen::Index rank = qr.rank();
  const Eigen::MatrixXd Q = math::orthogonal_factor(qr);
  const Eigen::MatrixXd R = qr.matrixR().topRows(rank).triangularView<Eigen::Upper>();
  const Eigen::LLT<Eigen::MatrixXd> squared(Eigen::MatrixXd(R * R.transpose()));
  jointed.basis = Q.rightCols(n - rank);
  jointed.forces_of_wrench =
      qr.colsPermutation() *
      Eigen::MatrixXd(R.transpose() * squared.solve(Eigen::MatrixXd(Q.leftCols(rank).transpose())));
}

void add_joints(const ContactSystem& system, ScaledSystem& scaled) {
  if (system.joint_rows.empty()) return;
  for (const JointRow& row : system.joint_rows) {
    scaled.joint_rows.push_back(scaled_row(row, scaled));
    const ScaledRow& made = scaled.joint_rows.back();
    for (const auto& [body, wrench] : made.parts) scaled.g.segment<6>(6 * body) += made.offset * wrench;
  }
  scaled.jointed = connected(scaled);
  int columns = 0;
  std::vector<Eigen::Triplet<double>> entries;
  for (JointedBodies& jointed : scaled.jointed) {
    find_freedoms(scaled, jointed);
    jointed.first = columns;
    columns += static_cast<int>(jointed.basis.cols());
    for (Eigen::Index i = 0; i < jointed.basis.rows(); ++i) {
      for (Eigen::Index j = 0; j < jointed.basis.cols(); ++j) {
        if (std::abs(jointed.basis(i, j)) < 1e-15) continue;
        entries.emplace_back(6 * jointed.bodies[static_cast<std::size_t>(i / 6)] + static_cast<int>(i % 6),
                             jointed.first + static_cast<int>(j), jointed.basis(i, j));
      }
    }
  }
  scaled.basis.resize(scaled.unknowns(), columns);
  scaled.basis.setFromTriplets(entries.begin(), entries.end());
}

}  // namespace

ScaledSystem scale_system(const ContactSystem& system) {
  ScaledSystem scaled;
  scaled.bodies = static_cast<int>(system.bodies.size());
  scaled.length = system.length;
  scaled.weight = system.weight;
  for (const SystemContact& contact : system.contacts) {
    scaled.a.push_back(contact.a.is_valid() ? contact.a.value() : -1);
    scaled.b.push_back(contact.b.is_valid() ? contact.b.value() : -1);
    scaled.point.push_back((contact.p_W - system.origin_W) / system.length);
    Eigen::Matrix3d rows;
    rows << contact.R_WC.col(2).transpose(), contact.mu * contact.R_WC.col(0).transpose(),
        contact.mu * contact.R_WC.col(1).transpose();
    scaled.rows.push_back(rows);
  }
  scaled.g = VectorXd::Zero(scaled.unknowns());
  for (NodeIndex node(0); node < system.bodies.size(); ++node) {
    const SystemBody& body = system.bodies[node];
    scaled.reference.push_back((body.com_W - system.origin_W) / system.length);
    scaled.g.segment<3>(6 * node.value() + 3) = (body.mass * system.gravity_W + body.lift_W) / system.weight;
    scaled.g.segment<3>(6 * node.value()) =
        (body.lift_at_W - body.com_W).cross(body.lift_W) / (system.weight * system.length);
  }
  const auto seen_from = [&](int k, int body) {
    return body >= 0 ? scaled.T(k, scaled.reference[static_cast<std::size_t>(body)])
                     : Matrix36d(Matrix36d::Zero());
  };
  for (int k = 0; k < scaled.contacts(); ++k) {
    scaled.T_a.push_back(seen_from(k, scaled.a[static_cast<std::size_t>(k)]));
    scaled.T_b.push_back(seen_from(k, scaled.b[static_cast<std::size_t>(k)]));
  }
  add_joints(system, scaled);
  return scaled;
}

void ScaledSystem::balance_by_joints(const VectorXd& wrench, Eigen::Ref<VectorXd> row_forces) const {
  for (const JointedBodies& group : jointed) {
    if (group.rows.empty()) continue;
    VectorXd own(6 * static_cast<Eigen::Index>(group.bodies.size()));
    for (std::size_t i = 0; i < group.bodies.size(); ++i)
      own.segment<6>(6 * static_cast<Eigen::Index>(i)) = wrench.segment<6>(6 * group.bodies[i]);
    const VectorXd forces = -(group.forces_of_wrench * own);
    for (std::size_t r = 0; r < group.rows.size(); ++r)
      row_forces[group.rows[r]] = forces[static_cast<Eigen::Index>(r)];
  }
}

double ScaledSystem::row_rate(int row, const VectorXd& motion) const {
  double rate = 0.0;
  for (const auto& [body, wrench] : joint_rows[static_cast<std::size_t>(row)].parts)
    rate += wrench.dot(motion.segment<6>(6 * body));
  return rate;
}

double ScaledSystem::resistance(const VectorXd& motion) const {
  double sum = -g.dot(motion);
  for (std::size_t r = 0; r < joint_rows.size(); ++r) {
    if (joint_rows[r].kind == ScaledRow::Kind::bounded)
      sum += joint_rows[r].radius * std::abs(row_rate(static_cast<int>(r), motion));
  }
  return sum;
}

std::vector<double> joint_forces(const ScaledSystem& system, const VectorXd& forces) {
  std::vector<double> out;
  for (std::size_t r = 0; r < system.joint_rows.size(); ++r) {
    out.push_back(system.joint_rows[r].unit * forces[3 * system.contacts() + static_cast<Eigen::Index>(r)]);
  }
  return out;
}

Matrix36d ScaledSystem::T(int k, const Vector3d& about) const {
  const Vector3d r = point[static_cast<std::size_t>(k)] - about;
  Matrix36d T;
  for (int i = 0; i < 3; ++i) {
    const Vector3d row = rows[static_cast<std::size_t>(k)].row(i);
    T.row(i) << r.cross(row).transpose(), row.transpose();
  }
  return T;
}

VectorXd ScaledSystem::load(const Load& load) const {
  VectorXd w = VectorXd::Zero(unknowns());
  for (const BodyLoad& part : load) {
    const Vector3d f = part.wrench.tail<3>();
    w.segment<3>(6 * part.body.value()) += part.wrench.head<3>() / length - reference[part.body].cross(f);
    w.segment<3>(6 * part.body.value() + 3) += part.wrench.tail<3>();
  }
  return w / weight;
}

VectorXd ScaledSystem::velocities(const VectorXd& motion) const {
  VectorXd s(3 * contacts());
  for (int k = 0; k < contacts(); ++k) {
    Vector3d v = Vector3d::Zero();
    if (b[k] >= 0) v += T_b[k] * motion.segment<6>(6 * b[k]);
    if (a[k] >= 0) v -= T_a[k] * motion.segment<6>(6 * a[k]);
    s.segment<3>(3 * k) = v;
  }
  return s;
}

VectorXd ScaledSystem::wrenches(const VectorXd& forces) const {
  VectorXd w = VectorXd::Zero(unknowns());
  for (int k = 0; k < contacts(); ++k) {
    if (b[k] >= 0) w.segment<6>(6 * b[k]) += T_b[k].transpose() * forces.segment<3>(3 * k);
    if (a[k] >= 0) w.segment<6>(6 * a[k]) -= T_a[k].transpose() * forces.segment<3>(3 * k);
  }
  return w;
}

std::vector<Vector3d> forces_in_newton(const ContactSystem& system, const VectorXd& forces) {
  std::vector<Vector3d> f_W;
  f_W.reserve(system.contacts.size());
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    const SystemContact& contact = system.contacts[k];
    const Vector3d f = forces.segment<3>(3 * static_cast<Eigen::Index>(k));
    f_W.push_back(system.weight * (contact.R_WC * Vector3d(contact.mu * f[1], contact.mu * f[2], f[0])));
  }
  return f_W;
}

std::vector<math::Vector6d> motion_in_metres(const ContactSystem& system, const VectorXd& motion) {
  const double size = motion.size() > 0 ? motion.cwiseAbs().maxCoeff() : 0.0;
  const double factor = size > 0.0 ? 1.0 / size : 0.0;
  std::vector<math::Vector6d> twists;
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const math::Vector6d twist = factor * motion.segment<6>(6 * static_cast<Eigen::Index>(i));
    const Vector3d w = twist.head<3>() / system.length;
    const Vector3d to_origin = system.origin_W - system.bodies[i].com_W;
    twists.push_back((math::Vector6d() << w, twist.tail<3>() + w.cross(to_origin)).finished());
  }
  return twists;
}

}  // namespace prehend::stability
