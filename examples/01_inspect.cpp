// What is in this mesh? Volume, centroid, and whether it bounds a solid.
#include <cstdio>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh_check.h>
#include <prehend/model/mesh_file.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s MESH\n", argv[0]);
    return 2;
  }
  const prehend::geometry::TriangleMesh mesh = prehend::model::read_mesh(argv[1]);

  // The check welds first and counts what keeps the mesh from bounding a solid.
  const prehend::geometry::MeshReport report = prehend::geometry::check_mesh(mesh);
  std::printf("vertices %d\n", report.vertices);
  std::printf("closed %s\n", report.is_closed ? "yes" : "no");
  for (const std::string& problem : report.problems) std::printf("problem %s\n", problem.c_str());

  // Volume and centroid mean something only for a closed mesh: mass.status says so.
  const prehend::geometry::MassProperties mass = prehend::geometry::mass_properties(mesh);
  std::printf("volume_m3 %.17g\n", mass.volume);
  std::printf("centroid_m %.17g %.17g %.17g\n", mass.centroid.x(), mass.centroid.y(), mass.centroid.z());
}
