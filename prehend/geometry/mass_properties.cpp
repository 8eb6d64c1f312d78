#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include <prehend/geometry/mass_properties.h>
#include <prehend/math/enum_text.h>

namespace prehend::geometry {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Twice the area vector (3), twice the area, 6 V, 24 V c (3), 120 int xx^T (xx, yy, zz, xy, xz, yz).
constexpr int kSums = 14;
using Sums = std::array<double, kSums>;
constexpr std::size_t kBlock = 128;

// Neumaier's compensated sum, used once per block of triangles.
struct CompensatedSums {
  Sums high{}, low{};
  void add(const Sums& values) {
    for (int i = 0; i < kSums; ++i) {
      const double total = high[i] + values[i];
      low[i] += std::abs(high[i]) >= std::abs(values[i]) ? (high[i] - total) + values[i]
                                                         : (values[i] - total) + high[i];
      high[i] = total;
    }
  }
  double operator[](int i) const { return high[i] + low[i]; }
};

// One triangle's terms; plain scalars, because the compiler keeps all of them in registers.
inline void add_triangle(const Vector3d& a, const Vector3d& b, const Vector3d& c, Sums& sums) {
  const double ux = b.x() - a.x(), uy = b.y() - a.y(), uz = b.z() - a.z();
  const double vx = c.x() - a.x(), vy = c.y() - a.y(), vz = c.z() - a.z();
  const double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const double d = a.x() * nx + a.y() * ny + a.z() * nz;
  const double sx = a.x() + b.x() + c.x(), sy = a.y() + b.y() + c.y(), sz = a.z() + b.z() + c.z();
  sums[0] += nx;
  sums[1] += ny;
  sums[2] += nz;
  sums[3] += std::sqrt(nx * nx + ny * ny + nz * nz);
  sums[4] += d;
  sums[5] += d * sx;
  sums[6] += d * sy;
  sums[7] += d * sz;
  sums[8] += d * (sx * sx + a.x() * a.x() + b.x() * b.x() + c.x() * c.x());
  sums[9] += d * (sy * sy + a.y() * a.y() + b.y() * b.y() + c.y() * c.y());
  sums[10] += d * (sz * sz + a.z() * a.z() + b.z() * b.z() + c.z() * c.z());
  sums[11] += d * (sx * sy + a.x() * a.y() + b.x() * b.y() + c.x() * c.y());
  sums[12] += d * (sx * sz + a.x() * a.z() + b.x() * b.z() + c.x() * c.z());
  sums[13] += d * (sy * sz + a.y() * a.z() + b.y() * b.z() + c.y() * c.z());
}

// Box of the vertices in use; false where an index or a coordinate is unusable. Marking first and boxing each
// vertex once is three times faster than boxing every corner.
bool box_of_used_vertices(const TriangleMesh& mesh, Vector3d& lower, Vector3d& upper) {
  const auto count = static_cast<unsigned>(mesh.vertices.size());
  std::vector<char> used(count, 0);
  for (const Eigen::Vector3i& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      if (static_cast<unsigned>(t[k]) >= count) return false;
      used[t[k]] = 1;
    }
  }
  lower.setConstant(HUGE_VAL);
  upper.setConstant(-HUGE_VAL);
  double poison = 0.0;  // stays 0 unless a coordinate is infinite or not a number
  for (unsigned i = 0; i < count; ++i) {
    if (!used[i]) continue;
    const Vector3d& p = mesh.vertices[i];
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
    poison += 0.0 * p.x() + 0.0 * p.y() + 0.0 * p.z();
  }
  return poison == 0.0;
}

}  // namespace

MassProperties mass_properties(const TriangleMesh& mesh) {
  MassProperties result;
  if (mesh.triangles.empty()) {
    result.status = MassStatus::empty;
    return result;
  }
  Vector3d lower, upper;
  if (!box_of_used_vertices(mesh, lower, upper)) return result;
  // Halved before adding, so that coordinates near the largest double do not overflow here.
  const Vector3d reference = 0.5 * lower + 0.5 * upper;
  const double size = (upper - lower).maxCoeff();
  // Working in units of the mesh's own size keeps d s s^T (a fifth power) inside the range of double at any
  // scale.
  const double unit = size > 0.0 && std::isfinite(size) ? size : 1.0;
  const double per_unit = 1.0 / unit;

  CompensatedSums total;
  for (std::size_t begin = 0; begin < mesh.triangles.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, mesh.triangles.size());
    Sums block{};
    for (std::size_t i = begin; i < end; ++i) {
      const Eigen::Vector3i& t = mesh.triangles[i];
      add_triangle((mesh.vertices[t[0]] - reference) * per_unit, (mesh.vertices[t[1]] - reference) * per_unit,
                   (mesh.vertices[t[2]] - reference) * per_unit, block);
    }
    total.add(block);
  }

  const double area = 0.5 * total[3];
  const double volume = total[4] / 6.0;
  result.area = area * unit * unit;
  result.closure_residual = area > 0.0 ? 0.5 * Vector3d(total[0], total[1], total[2]).norm() / area : 0.0;
  // Coordinates that were rounded far from the origin move each area vector by about this much, relative to
  // the area.
  const double coordinate_noise =
      2.3e-16 * std::max(1.0, std::max(lower.cwiseAbs().maxCoeff(), upper.cwiseAbs().maxCoeff()) / unit);
  if (result.closure_residual > 1e-10 + 100.0 * coordinate_noise) {
    result.status = MassStatus::open;
    return result;
  }
  result.volume = volume * unit * unit * unit;
  // Rounding alone gives a closed sheet a volume of about area * size * noise.
  if (std::abs(volume) <= 10.0 * area * coordinate_noise) {
    result.status = MassStatus::flat;
    return result;
  }
  const Vector3d c = Vector3d(total[5], total[6], total[7]) / (24.0 * volume);
  Matrix3d second;
  second << total[8], total[11], total[12],  //
      total[11], total[9], total[13],        //
      total[12], total[13], total[10];
  second = second / 120.0 - volume * c * c.transpose();
  const double unit5 = unit * unit * unit * unit * unit;
  result.centroid = reference + unit * c;
  result.inertia_unit_density = (second.trace() * Matrix3d::Identity() - second) * unit5;
  result.status = volume > 0.0 ? MassStatus::ok : MassStatus::inside_out;
  return result;
}

const char* to_string(MassStatus status) { return enum_text(status); }

std::string MassProperties::brief_report() const {
  char text[200];
  switch (status) {
    case MassStatus::invalid:
      return "mass properties: not computed, the mesh has non-finite vertices or indices out of range";
    case MassStatus::empty:
      return "mass properties: the mesh has no triangles";
    case MassStatus::open:
      std::snprintf(text, sizeof(text),
                    "mass properties: open mesh (closure residual %.2g), area %.6g m^2, no volume",
                    closure_residual, area);
      return text;
    case MassStatus::flat:
      std::snprintf(text, sizeof(text), "mass properties: the mesh encloses no volume, area %.6g m^2", area);
      return text;
    case MassStatus::inside_out:
    case MassStatus::ok:
      break;
  }
  std::snprintf(text, sizeof(text), "volume %.6g m^3%s, area %.6g m^2, centroid (%.6g, %.6g, %.6g) m", volume,
                status == MassStatus::inside_out ? " (inside out)" : "", area, centroid.x(), centroid.y(),
                centroid.z());
  return text;
}

}  // namespace prehend::geometry
