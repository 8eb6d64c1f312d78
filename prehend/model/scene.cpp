#include <cstdio>

#include <prehend/math/enum_text.h>
#include <prehend/model/scene.h>

namespace prehend::model {

const char* to_string(ShapeKind kind) { return enum_text(kind); }

const char* to_string(JointType type) { return enum_text(type); }

Scene::Scene() {
  bodies.emplace_back();
  bodies.back().name = "world";
}

BodyIndex Scene::find_body(std::string_view body_name) const {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].name == body_name) return BodyIndex(i);
  }
  return {};
}

std::vector<BodyIndex> Scene::listed_bodies() const {
  std::vector<BodyIndex> listed;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i > 0 || !bodies[i].geoms.empty()) listed.emplace_back(i);
  }
  return listed;
}

geometry::TriangleMesh Scene::mesh_W(GeomRef ref) const {
  return geometry::transformed(geom(ref).mesh, bodies[ref.body].X_WB * geom(ref).X_BG);
}

std::size_t Scene::triangle_count() const {
  std::size_t count = 0;
  for (const Body& body : bodies) {
    for (const Geom& geom : body.geoms) count += geom.mesh.triangles.size();
  }
  return count;
}

double Scene::extent() const {
  std::vector<Eigen::Vector3d> corners;
  for (const Body& body : bodies) {
    for (const Geom& geom : body.geoms) {
      if (geom.shape.kind == ShapeKind::plane) continue;
      const math::Pose X_WG = body.X_WB * geom.X_BG;
      for (const Eigen::Vector3d& vertex : geom.mesh.vertices) corners.push_back(X_WG * vertex);
    }
  }
  return geometry::bounding_box(corners).diagonal();
}

std::string Scene::brief_report() const {
  int movable = 0;
  double mass = 0.0;
  for (const Body& body : bodies) {
    if (!body.movable) continue;
    ++movable;
    mass += body.inertia.mass;
  }
  char text[160];
  std::snprintf(text, sizeof text, "%s scene: %zu bodies (%d movable, %.6g kg), %zu joints, %zu triangles",
                format.c_str(), listed_bodies().size(), movable, mass, joints.size(), triangle_count());
  return text;
}

}  // namespace prehend::model
