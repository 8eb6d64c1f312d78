// Reads one JSON document {"meshes":[{"vertices","triangles","points","rays":[[origin, direction]]}]} and
// answers with what the library says about each mesh; mesh_oracle_test.py compares it with trimesh and NumPy.
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include <prehend/geometry/hull.h>
#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh_check.h>
#include <prehend/geometry/triangle_tree.h>

namespace {

using namespace prehend::geometry;
using nlohmann::json;

Eigen::Vector3d vector_of(const json& j) {
  return {j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<double>()};
}
json json_of(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

json answer(const json& request) {
  TriangleMesh mesh;
  for (const json& v : request.at("vertices")) mesh.vertices.push_back(vector_of(v));
  for (const json& t : request.at("triangles"))
    mesh.triangles.emplace_back(t.at(0).get<int>(), t.at(1).get<int>(), t.at(2).get<int>());
  json out;
  const MassProperties mass = mass_properties(mesh);
  out["volume"] = mass.volume;
  out["area"] = mass.area;
  out["centroid"] = json_of(mass.centroid);
  for (int i = 0; i < 3; ++i) out["inertia"].push_back(json_of(mass.inertia_unit_density.row(i)));
  const MeshReport report = check_mesh(mesh);
  out["closed"] = report.is_closed;
  out["oriented"] = report.is_oriented;
  out["vertices"] = report.vertices;
  out["components"] = report.components;
  out["self_intersections"] = report.self_intersections;
  out["problems"] = report.problems;
  const HullResult hull = convex_hull(mesh.vertices);
  out["hull_volume"] = mass_properties(hull.mesh).volume;
  out["hull_area"] = mass_properties(hull.mesh).area;
  const TriangleTree tree(mesh);
  out["points"] = json::array();
  for (const json& p : request.at("points")) {
    const ClosestPoint closest = tree.closest_point(vector_of(p));
    out["points"].push_back({{"distance", closest.distance},
                             {"closest", json_of(closest.point)},
                             {"winding", tree.winding_number(vector_of(p))},
                             {"contains", tree.contains(vector_of(p))}});
  }
  out["rays"] = json::array();
  for (const json& r : request.at("rays")) {
    json hits = json::array();
    for (const RayHit& hit : tree.all_hits({vector_of(r.at(0)), vector_of(r.at(1))}))
      hits.push_back({hit.t, hit.triangle});
    const auto first = tree.closest_hit({vector_of(r.at(0)), vector_of(r.at(1))});
    out["rays"].push_back({{"hits", hits}, {"first", first ? json(first->t) : json(nullptr)}});
  }
  return out;
}

}  // namespace

int main() {
  try {
    const json request = json::parse(std::cin);
    json out = json::array();
    for (const json& mesh : request.at("meshes")) out.push_back(answer(mesh));
    std::cout << out.dump() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "mesh_tool: " << error.what() << '\n';
    return 1;
  }
}
