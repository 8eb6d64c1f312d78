#include <algorithm>
#include <cmath>

#include <prehend/math/se3.h>
#include <prehend/math/so3.h>
#include <prehend/observation/execution/assembly_path.h>
#include <prehend/observation/polyhedron_contacts.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;

// [-] Contacts are looked up at so many places of a path; between them the nearest one holds.
constexpr std::size_t kLookups = 24;

// Planned poses keep their contacts to 1e-9 m, but bodies are given to single precision only.
ContactRelation relation_at(const BodyPair& pair, const math::Pose& X_FM) {
  return find_contacts(pair.moving(), X_FM, pair.fixed(), math::Pose()).relation;
}

// Of the contacts' points those that lie on one of the features; several planes at a point count as their mean.
ContactWrenches wrenches_of(const BodyPair& pair, const ContactRelation& relation,
                            const PrincipalContacts& features, const math::Pose& X_FM,
                            const Vector3d& middle_M) {
  ContactWrenches result;
  std::vector<Eigen::Matrix<double, 6, 1>> columns;
  std::vector<double> weights;
  const Vector3d middle = X_FM * middle_M;
  for (const PrincipalContact& feature : features) {
    const std::size_t first = columns.size();
    Vector3d normal_sum = Vector3d::Zero();
    for (const Contact& contact : relation.contacts) {
      Vector3d normal = Vector3d::Zero();
      for (const Vector3d& n : contact.normals_W) normal += n.normalized();
      if (normal.norm() < 1e-6) continue;
      normal.normalize();
      for (const Vector3d& point : contact.points_W) {
        if (!pair.is_on(point, feature, X_FM, pair.touch_tolerance())) continue;
        Eigen::Matrix<double, 6, 1> column;
        column << (point - middle).cross(normal), normal;
        columns.push_back(column);
        normal_sum += normal;
      }
    }
    const std::size_t count = columns.size() - first;
    for (std::size_t i = 0; i < count; ++i) weights.push_back(1.0 / static_cast<double>(count));
    if (count > 0) result.mean_normal += normal_sum / static_cast<double>(count);
  }
  result.columns.resize(6, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i)
    result.columns.col(static_cast<Eigen::Index>(i)) = columns[i];
  result.weights =
      Eigen::Map<const Eigen::VectorXd>(weights.data(), static_cast<Eigen::Index>(weights.size()));
  if (result.mean_normal.norm() > 1e-6) result.mean_normal.normalize();
  return result;
}

PrincipalContacts without(const PrincipalContacts& all, const PrincipalContacts& some) {
  PrincipalContacts left;
  for (const PrincipalContact& contact : all)
    if (std::find(some.begin(), some.end(), contact) == some.end()) left.push_back(contact);
  return left;
}

}  // namespace

AssemblyPath::AssemblyPath(const BodyPair& pair, const AssemblyStep& step, const Vector3d& middle_M,
                           double lever_m)
    : poses_(step.X_FM), middle_M_(middle_M), lever_m_(lever_m) {
  ways_.push_back(0.0);
  for (std::size_t i = 1; i < poses_.size(); ++i) {
    const double shift = (poses_[i] * middle_M - poses_[i - 1] * middle_M).norm();
    const double turn = math::log_so3(poses_[i].q() * poses_[i - 1].q().conjugate()).norm();
    ways_.push_back(ways_.back() + shift + lever_m * turn);
  }
  for (std::size_t k = 0; k < kLookups; ++k) {
    const double way = length() * (static_cast<double>(k) + 0.5) / static_cast<double>(kLookups);
    // At a planned pose: between two of them contacts are open by more than the tolerance.
    const math::Pose& X = poses_[segment_of(way)];
    kept_.push_back(wrenches_of(pair, relation_at(pair, X), step.kept, X, middle_M));
  }
  const math::Pose& end = poses_.back();
  const ContactRelation relation = relation_at(pair, end);
  const PrincipalContacts all = pair.contacts_at(end, pair.touch_tolerance());
  at_end_ = wrenches_of(pair, relation, all, end, middle_M);
  if (step.gains) made_ = wrenches_of(pair, relation, without(all, step.kept), end, middle_M);
}

std::size_t AssemblyPath::segment_of(double way) const {
  const auto next = std::upper_bound(ways_.begin(), ways_.end(), way);
  const std::size_t last = ways_.size() < 2 ? 0 : ways_.size() - 2;
  return std::min<std::size_t>(
      last, next == ways_.begin() ? 0 : static_cast<std::size_t>(next - ways_.begin()) - 1);
}

Eigen::Matrix<double, 6, 1> AssemblyPath::direction_at(double way) const {
  Eigen::Matrix<double, 6, 1> direction = Eigen::Matrix<double, 6, 1>::Zero();
  if (length() <= 0.0) return direction;
  // The last segment that goes somewhere holds beyond the end.
  std::size_t i = segment_of(std::min(way, length()));
  while (i > 0 && ways_[i + 1] <= ways_[i]) --i;
  const double step = ways_[i + 1] - ways_[i];
  if (step <= 0.0) return direction;
  direction.head<3>() = math::log_so3(poses_[i + 1].q() * poses_[i].q().conjugate()) / step;
  direction.tail<3>() = (poses_[i + 1] * middle_M_ - poses_[i] * middle_M_) / step;
  return direction;
}

double AssemblyPath::turn_share_at(double way) const { return lever_m_ * direction_at(way).head<3>().norm(); }

math::Pose AssemblyPath::at(double way) const {
  const std::size_t i = segment_of(std::min(way, length()));
  const double along = way - ways_[i];
  const Eigen::Matrix<double, 6, 1> direction = direction_at(way);
  const Eigen::Quaterniond q =
      (math::exp_so3(along * Vector3d(direction.head<3>())) * poses_[i].q()).normalized();
  const Vector3d middle = poses_[i] * middle_M_ + along * direction.tail<3>();
  return math::Pose(q, middle - q * middle_M_);
}

const ContactWrenches& AssemblyPath::kept_at(double way) const {
  const double share = length() > 0.0 ? std::clamp(way / length(), 0.0, 1.0) : 0.0;
  return kept_[std::min(kLookups - 1, static_cast<std::size_t>(share * static_cast<double>(kLookups)))];
}

}  // namespace prehend::observation
