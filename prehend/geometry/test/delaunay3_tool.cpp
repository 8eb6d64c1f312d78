// Reads points "x y z" from standard input and prints their Delaunay tetrahedra, one per line; for
// tetrahedra_test.py.
#include <iostream>

#include <prehend/geometry/delaunay_tetrahedra.h>

int main() {
  std::vector<Eigen::Vector3d> points;
  for (Eigen::Vector3d p; std::cin >> p.x() >> p.y() >> p.z();) points.push_back(p);
  const auto result = prehend::geometry::delaunay_tetrahedra(points);
  if (result.status != prehend::geometry::DelaunayStatus::ok) {
    std::cerr << result.message << '\n';
    return 2;
  }
  for (const auto& t : result.tetrahedra) std::cout << t.transpose() << '\n';
}
