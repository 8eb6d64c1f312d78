#include <algorithm>
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

std::vector<int> Scene::rigid_groups() const {
  std::vector<std::size_t> root(bodies.size());
  for (std::size_t i = 0; i < root.size(); ++i) root[i] = i;
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  // The smaller index wins, so that what is fixed is the world.
  const auto unite = [&](std::size_t a, std::size_t b) {
    a = find(a), b = find(b);
    root[std::max(a, b)] = std::min(a, b);
  };
  // A child moves against its parent when any of the joints between the two does.
  std::vector<bool> has_joint(bodies.size(), false), is_loose(bodies.size(), false);
  for (const Joint& joint : joints) {
    if (joint.type == JointType::free) continue;  // `movable` tells
    has_joint[joint.child] = true;
    if (!joint.is_held()) is_loose[joint.child] = true;
  }
  for (const Joint& joint : joints) {
    if (joint.type != JointType::free && !is_loose[joint.child]) unite(joint.parent, joint.child);
  }
  for (const Joint& joint : loop_joints) {
    if (joint.is_held()) unite(joint.parent, joint.child);
  }
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    if (!bodies[i].movable && !has_joint[i]) unite(0, i);
  }
  std::vector<int> groups(bodies.size());
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<int>(find(i));
  return groups;
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
