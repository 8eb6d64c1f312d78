#include <prehend/geometry/delaunay_tetrahedra.h>
#include <prehend/geometry/tetrahedra/delaunay3.h>
#include <prehend/math/enum_text.h>

namespace prehend::geometry {

const char* to_string(DelaunayStatus status) { return enum_text(status); }

DelaunayTetrahedra delaunay_tetrahedra(std::span<const Eigen::Vector3d> points) {
  DelaunayTetrahedra result;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!(points[i].array().abs() <= 1e50).all()) {
      result.status = DelaunayStatus::not_finite;
      result.message = "point " + std::to_string(i) + " has a coordinate that is not finite or beyond 1e50";
      return result;
    }
  }
  TetComplex complex;
  complex.points.assign(points.begin(), points.end());
  if (!build_delaunay(complex, result.representative)) {
    result.status = DelaunayStatus::degenerate;
    result.message = "the " + std::to_string(points.size()) + " points span no volume";
    return result;
  }
  std::vector<int> number(complex.cells.size(), -1);
  for (std::size_t c = 0; c < complex.cells.size(); ++c) {
    if (!complex.is_alive(static_cast<int>(c)) || complex.is_ghost(static_cast<int>(c))) continue;
    number[c] = static_cast<int>(result.tetrahedra.size());
    const auto& v = complex.cells[c].vertex;
    result.tetrahedra.emplace_back(v[0], v[1], v[2], v[3]);
  }
  for (std::size_t c = 0; c < complex.cells.size(); ++c) {
    if (number[c] < 0) continue;
    const auto& adjacent = complex.cells[c].adjacent;
    result.neighbours.emplace_back(number[adjacent[0] / 4], number[adjacent[1] / 4], number[adjacent[2] / 4],
                                   number[adjacent[3] / 4]);
  }
  result.status = DelaunayStatus::ok;
  return result;
}

}  // namespace prehend::geometry
