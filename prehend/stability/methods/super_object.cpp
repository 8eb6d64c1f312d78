#include <algorithm>
#include <numeric>

#include <Eigen/Geometry>

#include <prehend/stability/methods/super_object.h>
#include <prehend/stability/statics/interface_points.h>

namespace prehend::stability {

using Eigen::Vector2d;
using Eigen::Vector3d;

std::vector<int> planar_hull(const std::vector<Vector3d>& points, const Vector3d& n, double tolerance) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  if (points.empty()) return order;
  // The longest extent first, so that points on a line are sorted along it.
  const Eigen::Matrix3d frame = contact_frame(n);
  std::vector<Vector2d> flat;
  for (const Vector3d& p : points) flat.push_back((frame.transpose() * (p - points.front())).head<2>());
  std::size_t far = 0;
  for (std::size_t i = 0; i < flat.size(); ++i) {
    if (flat[i].norm() > flat[far].norm()) far = i;
  }
  if (!(flat[far].norm() > tolerance)) return {0};
  const Vector2d along = flat[far].normalized(), across(-along.y(), along.x());
  for (Vector2d& x : flat) x = Vector2d(x.dot(along), x.dot(across));
  const auto at = [&](int i) -> const Vector2d& { return flat[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return at(i).x() != at(j).x() ? at(i).x() < at(j).x() : at(i).y() < at(j).y();
  });
  // Andrew's monotone chain; a point counts as a corner when it stands out from the chord by more than the tolerance.
  std::vector<int> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t base = hull.size();
    for (const int i : order) {
      while (hull.size() >= base + 2) {
        const Vector2d &p = at(hull[hull.size() - 2]), &q = at(hull.back()), &r = at(i);
        const Vector2d chord = r - p, out = q - p;
        if (out.x() * chord.y() - out.y() * chord.x() > tolerance * chord.norm()) break;
        hull.pop_back();
      }
      if (hull.size() > base && (at(i) - at(hull.back())).norm() <= tolerance) continue;
      hull.push_back(i);
    }
    hull.pop_back();
    std::reverse(order.begin(), order.end());
  }
  return hull;
}

std::vector<bool> interface_corners(const ContactSystem& system) {
  std::vector<bool> corners(system.contacts.size(), false);
  for (const SystemInterface& interface : system.interfaces) {
    std::vector<Vector3d> points;
    for (int k = 0; k < interface.count; ++k) {
      points.push_back(system.contacts[static_cast<std::size_t>(interface.first + k)].p_W);
    }
    for (const int k : planar_hull(points, interface.n_W, 1e-10 * system.length)) {
      corners[static_cast<std::size_t>(interface.first + k)] = true;
    }
  }
  return corners;
}

SuperObject make_super_object(const ContactSystem& system, const std::vector<Vector3d>& resting_f_W,
                              const std::vector<bool>& corners, const BodySet& set) {
  SuperObject object;
  for (NodeIndex i(0); i < system.bodies.size(); ++i) {
    if (!set[i]) continue;
    object.bodies.push_back(i);
    object.weight += system.gravity_wrench(i);
  }
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    const SystemContact& contact = system.contacts[k];
    const bool has_a = contact.a.is_valid() && set[contact.a], has_b = contact.b.is_valid() && set[contact.b];
    if (has_a == has_b) continue;
    Eigen::Matrix3d R_WC = contact.R_WC;
    if (has_a) R_WC.rightCols<2>() *= -1.0;
    object.contacts.push_back({contact.interface, contact.p_W, R_WC, contact.mu,
                               has_b ? resting_f_W[k] : Vector3d(-resting_f_W[k]), corners[k]});
  }
  return object;
}

}  // namespace prehend::stability
