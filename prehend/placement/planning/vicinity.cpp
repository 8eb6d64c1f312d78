#include <algorithm>

#include <prehend/placement/planning/vicinity.h>

namespace prehend::placement {

using Eigen::AlignedBox3d;
using Eigen::Vector3d;

Vicinity::Vicinity(const Problem& problem) : problem_(problem) {
  const Vector3d up = problem.up_W;
  const Vector3d x = std::abs(up.z()) > 0.999999 ? Vector3d::UnitX() : Vector3d(up.unitOrthogonal());
  const Vector3d y = up.cross(x).normalized();
  R_WU_ << y.cross(up), y, up;
  const Vector3d com = problem.body().inertia.com;
  for (const PreparedGeom& geom : problem.own) {
    for (const Vector3d& v : geom.polyhedron.vertices()) radius_ = std::max(radius_, (geom.X_BG * v - com).norm());
  }
  const bool is_named = !problem.options.touch.empty();
  const auto is_wanted = [&](const PreparedGeom& geom) {
    return is_named ? bool(problem.may_touch[geom.ref.body]) : problem.is_movable(geom.ref.body);
  };
  for (const PreparedGeom& geom : problem.others) {
    AlignedBox3d box;
    for (const Vector3d& v : geom.polyhedron.vertices()) box.extend(R_WU_.transpose() * (geom.X_WG * v));
    if (box.isEmpty()) continue;
    boxes_.push_back(box);
    all_.extend(box);
    if (is_wanted(geom)) wanted_.extend(box);
  }
  if (wanted_.isEmpty()) wanted_ = all_;
  if (!problem.options.region) return;
  AlignedBox3d region;
  const AxisBox& asked = *problem.options.region;
  for (int k = 0; k < 8; ++k) {
    const Vector3d corner(k & 1 ? asked.upper.x() : asked.lower.x(), k & 2 ? asked.upper.y() : asked.lower.y(),
                          k & 4 ? asked.upper.z() : asked.lower.z());
    region.extend(R_WU_.transpose() * corner);
  }
  const AlignedBox3d cut = wanted_.intersection(region);
  wanted_ = cut.isEmpty() ? region : cut;
}

double Vicinity::top_at(double x, double y, double reach) const {
  double top = all_.isEmpty() ? 0.0 : all_.min().z();
  for (const AlignedBox3d& box : boxes_) {
    if (x + reach < box.min().x() || x - reach > box.max().x() || y + reach < box.min().y() || y - reach > box.max().y())
      continue;
    top = std::max(top, box.max().z());
  }
  return top;
}

math::Pose Vicinity::pose(const Eigen::Quaterniond& q_WO, const Vector3d& com_U) const {
  return math::Pose(q_WO, R_WU_ * com_U - q_WO * problem_.body().inertia.com);
}

}  // namespace prehend::placement
