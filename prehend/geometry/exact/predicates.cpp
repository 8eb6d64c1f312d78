#include <cmath>

#include <prehend/geometry/exact/expansion.h>
#include <prehend/geometry/exact/predicates.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using exact::Expansion;

constexpr double kEpsilon = 0x1p-53;  // half a unit in the last place of 1

// Relative to the sum of absolute products, the largest rounding error of each determinant as evaluated
// below.
constexpr double kOrient2dBound = (3.0 + 16.0 * kEpsilon) * kEpsilon;
constexpr double kOrient3dBound = (7.0 + 56.0 * kEpsilon) * kEpsilon;
constexpr double kInsphereBound = (16.0 + 224.0 * kEpsilon) * kEpsilon;
// The same when only the rounding of the coordinate differences is left in it.
constexpr double kInsphereDifferenceBound = (5.0 + 72.0 * kEpsilon) * kEpsilon;

int sign_of(double value) { return (value > 0.0) - (value < 0.0); }

using Difference = Expansion<2>;
Difference difference(double a, double b) { return Difference(exact::two_difference(a, b)); }

template <std::size_t N>
auto minor(const Expansion<N>& ax, const Expansion<N>& ay, const Expansion<N>& bx, const Expansion<N>& by) {
  return ax * by - bx * ay;
}

int orient2d_exact(const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  return minor(difference(a.x(), c.x()), difference(a.y(), c.y()), difference(b.x(), c.x()),
               difference(b.y(), c.y()))
      .sign();
}

int orient3d_exact(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const Difference ax = difference(a.x(), d.x()), ay = difference(a.y(), d.y()),
                   az = difference(a.z(), d.z());
  const Difference bx = difference(b.x(), d.x()), by = difference(b.y(), d.y()),
                   bz = difference(b.z(), d.z());
  const Difference cx = difference(c.x(), d.x()), cy = difference(c.y(), d.y()),
                   cz = difference(c.z(), d.z());
  const auto det = minor(bx, by, cx, cy) * az + minor(cx, cy, ax, ay) * bz + minor(ax, ay, bx, by) * cz;
  return -det.sign();
}

// The determinant from rounded coordinate differences, exact otherwise. Rows: points relative to the fifth.
double insphere_of_differences(const double (&row)[4][3]) {
  using Single = Expansion<1>;
  const auto x = [&](int i) { return Single(row[i][0]); };
  const auto y = [&](int i) { return Single(row[i][1]); };
  const auto cross = [&](int i, int j) { return minor(x(i), y(i), x(j), y(j)); };
  const auto ab = cross(0, 1), bc = cross(1, 2), cd = cross(2, 3), da = cross(3, 0), ac = cross(0, 2),
             bd = cross(1, 3);
  const double az = row[0][2], bz = row[1][2], cz = row[2][2], dz = row[3][2];
  const auto abc = ab * cz + bc * az - ac * bz;
  const auto bcd = bc * dz + cd * bz - bd * cz;
  const auto cda = cd * az + da * cz + ac * dz;
  const auto dab = da * bz + ab * dz + bd * az;
  const auto lift = [&](int i) {
    return Single(row[i][0]) * row[i][0] + (Single(row[i][1]) * row[i][1] + Single(row[i][2]) * row[i][2]);
  };
  return ((dab * lift(2) - abc * lift(3)) + (bcd * lift(0) - cda * lift(1))).approximate();
}

// The 5x5 determinant of (x, y, z, x^2+y^2+z^2, 1) expanded along the coordinates themselves: shorter than
// going through two-component differences (5760 components at most against 36864).
int insphere_exact(const Vector3d* const (&point)[5]) {
  const auto cross = [&](int i, int j) {
    const Vector3d &p = *point[i], &q = *point[j];
    return Expansion<1>(p.x()) * q.y() - Expansion<1>(q.x()) * p.y();
  };
  // Signed volume-like minor of rows i, j, k in (x, y, z).
  const auto triple = [&](int i, int j, int k) {
    return cross(i, j) * point[k]->z() + cross(j, k) * point[i]->z() + cross(k, i) * point[j]->z();
  };
  // Minor of rows i, j, k, l in (x, y, z, 1), times the lift of row m.
  const auto lifted = [&](int i, int j, int k, int l, int m) {
    const auto quad = (triple(i, k, l) - triple(j, k, l)) + (triple(i, j, k) - triple(i, j, l));
    const Vector3d& p = *point[m];
    return quad * p.x() * p.x() + quad * p.y() * p.y() + quad * p.z() * p.z();
  };
  const auto det =
      ((lifted(1, 2, 3, 4, 0) - lifted(0, 2, 3, 4, 1)) + (lifted(0, 1, 3, 4, 2) - lifted(0, 1, 2, 4, 3))) +
      lifted(0, 1, 2, 3, 4);
  return det.sign();
}

}  // namespace

int orient2d(const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  const double left = (a.x() - c.x()) * (b.y() - c.y());
  const double right = (a.y() - c.y()) * (b.x() - c.x());
  const double det = left - right;
  const double bound = kOrient2dBound * (std::fabs(left) + std::fabs(right));
  if (std::fabs(det) > bound) return sign_of(det);
  return orient2d_exact(a, b, c);
}

int orient3d(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const double ax = a.x() - d.x(), ay = a.y() - d.y(), az = a.z() - d.z();
  const double bx = b.x() - d.x(), by = b.y() - d.y(), bz = b.z() - d.z();
  const double cx = c.x() - d.x(), cy = c.y() - d.y(), cz = c.z() - d.z();
  const double bxcy = bx * cy, cxby = cx * by;
  const double cxay = cx * ay, axcy = ax * cy;
  const double axby = ax * by, bxay = bx * ay;
  const double det = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay);
  const double permanent = (std::fabs(bxcy) + std::fabs(cxby)) * std::fabs(az) +
                           (std::fabs(cxay) + std::fabs(axcy)) * std::fabs(bz) +
                           (std::fabs(axby) + std::fabs(bxay)) * std::fabs(cz);
  // det = (a-d) . (b-d) x (c-d), which is minus (b-a) x (c-a) . (d-a).
  if (std::fabs(det) > kOrient3dBound * permanent) return -sign_of(det);
  return orient3d_exact(a, b, c, d);
}

int insphere(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d, const Vector3d& e) {
  const double row[4][3] = {{a.x() - e.x(), a.y() - e.y(), a.z() - e.z()},
                            {b.x() - e.x(), b.y() - e.y(), b.z() - e.z()},
                            {c.x() - e.x(), c.y() - e.y(), c.z() - e.z()},
                            {d.x() - e.x(), d.y() - e.y(), d.z() - e.z()}};
  const double aez = row[0][2], bez = row[1][2], cez = row[2][2], dez = row[3][2];
  const auto product = [&](int i, int j) { return row[i][0] * row[j][1]; };
  const double axby = product(0, 1), bxay = product(1, 0), bxcy = product(1, 2), cxby = product(2, 1);
  const double cxdy = product(2, 3), dxcy = product(3, 2), dxay = product(3, 0), axdy = product(0, 3);
  const double axcy = product(0, 2), cxay = product(2, 0), bxdy = product(1, 3), dxby = product(3, 1);
  const double ab = axby - bxay, bc = bxcy - cxby, cd = cxdy - dxcy, da = dxay - axdy, ac = axcy - cxay,
               bd = bxdy - dxby;
  const double abc = aez * bc - bez * ac + cez * ab, bcd = bez * cd - cez * bd + dez * bc;
  const double cda = cez * da + dez * ac + aez * cd, dab = dez * ab + aez * bd + bez * da;
  const auto lift = [&](int i) {
    return row[i][0] * row[i][0] + row[i][1] * row[i][1] + row[i][2] * row[i][2];
  };
  const double a_lift = lift(0), b_lift = lift(1), c_lift = lift(2), d_lift = lift(3);
  const double det = (d_lift * abc - c_lift * dab) + (b_lift * cda - a_lift * bcd);

  const auto size = [](double p, double q) { return std::fabs(p) + std::fabs(q); };
  const double ab_size = size(axby, bxay), bc_size = size(bxcy, cxby), cd_size = size(cxdy, dxcy);
  const double da_size = size(dxay, axdy), ac_size = size(axcy, cxay), bd_size = size(bxdy, dxby);
  const double az = std::fabs(aez), bz = std::fabs(bez), cz = std::fabs(cez), dz = std::fabs(dez);
  const double permanent = (cd_size * bz + bd_size * cz + bc_size * dz) * a_lift +
                           (da_size * cz + ac_size * dz + cd_size * az) * b_lift +
                           (ab_size * dz + bd_size * az + da_size * bz) * c_lift +
                           (bc_size * az + ac_size * bz + ab_size * cz) * d_lift;
  // det is the determinant for Shewchuk's orientation; ours is the mirror image.
  if (std::fabs(det) > kInsphereBound * permanent) return -sign_of(det);

  const double refined = insphere_of_differences(row);
  if (std::fabs(refined) > kInsphereDifferenceBound * permanent) return sign_of(refined);
  const Vector3d* const point[4] = {&a, &b, &c, &d};
  bool differences_exact = true;
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) differences_exact &= exact::two_difference((*point[i])[k], e[k]).tail == 0.0;
  }
  if (differences_exact) return sign_of(refined);
  return insphere_exact({&a, &b, &c, &d, &e});
}

}  // namespace prehend::geometry
