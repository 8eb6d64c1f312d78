#include <algorithm>

#include <prehend/assist/robot/capsules.h>

namespace prehend::assist {

CapsuleGap capsule_gap(const Capsule& first, const Capsule& second) {
  const Eigen::Vector3d d1 = first.b - first.a, d2 = second.b - second.a, r = first.a - second.a;
  const double a = d1.squaredNorm(), e = d2.squaredNorm(), f = d2.dot(r);
  constexpr double kPoint = 1e-14;
  double s = 0.0, t = 0.0;
  if (a <= kPoint) {
    t = e <= kPoint ? 0.0 : std::clamp(f / e, 0.0, 1.0);
  } else {
    const double c = d1.dot(r);
    if (e <= kPoint) {
      s = std::clamp(-c / a, 0.0, 1.0);
    } else {
      const double b = d1.dot(d2), denominator = a * e - b * b;
      if (denominator > 1e-12 * a * e) s = std::clamp((b * f - c * e) / denominator, 0.0, 1.0);
      t = (b * s + f) / e;
      if (t < 0.0) {
        t = 0.0, s = std::clamp(-c / a, 0.0, 1.0);
      } else if (t > 1.0) {
        t = 1.0, s = std::clamp((b - c) / a, 0.0, 1.0);
      }
    }
  }
  CapsuleGap gap;
  gap.p_first = first.a + s * d1;
  gap.p_second = second.a + t * d2;
  const Eigen::Vector3d apart = gap.p_first - gap.p_second;
  const double length = apart.norm();
  if (length > 1e-12) gap.n = apart / length;
  gap.distance = length - first.radius - second.radius;
  return gap;
}

}  // namespace prehend::assist
