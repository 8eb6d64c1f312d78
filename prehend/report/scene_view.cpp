#include <cmath>
#include <string>

#include <prehend/geometry/mesh.h>
#include <prehend/geometry/primitives.h>
#include <prehend/report/scene_view.h>

namespace prehend::report {
namespace {

// How finely round things are drawn: a circle of 128 sides stays within 0.03 % of its radius, less than a pixel where it is
// 1600 pixels across. Scenes of many round things are drawn coarser, so that their page stays small.
struct Roundness {
  int segments{128};
  int subdivisions{5};
};

Roundness roundness_for(const model::Scene& scene) {
  std::size_t count = 0;
  for (const model::Body& body : scene.bodies)
    for (const model::Geom& geom : body.geoms)
      count += geom.shape.kind != model::ShapeKind::mesh && geom.shape.kind != model::ShapeKind::box &&
               geom.shape.kind != model::ShapeKind::plane;
  if (count > 200) return {48, 3};
  return count > 20 ? Roundness{80, 4} : Roundness{};
}

geometry::TriangleMesh drawn_mesh(const model::Geom& geom, const Roundness& roundness) {
  const Eigen::Vector3d& size = geom.shape.size;
  switch (geom.shape.kind) {
    case model::ShapeKind::sphere:
      return geometry::make_icosphere(size.x(), roundness.subdivisions);
    case model::ShapeKind::ellipsoid:
      return geometry::make_ellipsoid(size, roundness.subdivisions);
    case model::ShapeKind::cylinder:
      return geometry::make_cylinder(size.x(), size.y(), roundness.segments);
    case model::ShapeKind::capsule:
      return geometry::make_capsule(size.x(), size.y(), roundness.segments);
    case model::ShapeKind::box:
    case model::ShapeKind::plane:
    case model::ShapeKind::mesh:
      return geom.mesh;
  }
  return geom.mesh;
}

geometry::TriangleMesh mesh_of(const model::Body& body, const Roundness& roundness) {
  geometry::TriangleMesh mesh_B;
  for (const model::Geom& geom : body.geoms) {
    mesh_B = geometry::merged(mesh_B, geometry::transformed(drawn_mesh(geom, roundness), geom.X_BG));
  }
  return mesh_B;
}

std::string pair_name(const model::Scene& scene, const model::SceneInterface& interface) {
  return scene.bodies[interface.body_a].name + " - " + scene.bodies[interface.body_b].name;
}

}  // namespace

SceneView view_scene(const model::Scene& scene) {
  SceneView view;
  view.bodies.resize(scene.bodies.size());
  std::size_t colour = 0;
  const Roundness roundness = roundness_for(scene);
  for (model::BodyIndex b(0); b < scene.bodies.size(); ++b) {
    const model::Body& body = scene.bodies[b];
    if (body.geoms.empty()) continue;
    SceneBody shown;
    shown.name = body.name;
    shown.mesh_B = mesh_of(body, roundness);
    shown.X_WB = body.X_WB;
    shown.backdrop = !body.movable;
    shown.colour = body.movable ? palette_colour(colour++) : colour_from_hex(kGrey);
    shown.hover = body.movable ? "movable" : "fixed";
    if (body.inertia.mass > 0.0) {
      shown.properties.push_back(number_fact("mass", body.inertia.mass, "kg"));
      const Eigen::Vector3d com_W = body.X_WB * body.inertia.com;
      shown.properties.push_back(number_fact("centre of mass x", com_W.x(), "m"));
      shown.properties.push_back(number_fact("centre of mass y", com_W.y(), "m"));
      shown.properties.push_back(number_fact("centre of mass z", com_W.z(), "m"));
    }
    view.bodies[b] = view.scene.add_body(std::move(shown));
  }
  return view;
}

void add_contacts(SceneView& view, const model::Scene& scene, const model::SceneContacts& contacts) {
  PointLayer points;
  points.name = "contact points";
  ArrowLayer normals;
  normals.name = "contact normals";
  normals.unit = "";
  normals.visible = false;
  for (const model::SceneInterface& interface : contacts.interfaces) {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    for (const Eigen::Vector3d& point : interface.patch.points_W) {
      points.points.push_back(point);
      points.hover.push_back(pair_name(scene, interface));
      centre += point / static_cast<double>(interface.patch.points_W.size());
    }
    normals.arrows.push_back({centre, interface.patch.n_W, pair_name(scene, interface)});
    for (const auto& loop : interface.patch.loops_W) {
      Polyline line;
      line.name = "contact outlines";
      line.hover = pair_name(scene, interface);
      line.points = loop;
      line.closed = true;
      line.colour = colour_from_hex(kContactGold);
      view.scene.lines.push_back(std::move(line));
    }
  }
  if (points.points.empty()) return;
  view.scene.points.push_back(std::move(points));
  view.scene.arrows.push_back(std::move(normals));
}

Table contact_table(const model::Scene& scene, const model::SceneContacts& contacts, const SceneView& view,
                    SceneIndex index) {
  Table table;
  table.caption = "Contact interfaces";
  table.columns = {{"body a", "", 4, ""},   {"body b", "", 4, ""},
                   {"area", "cm²", 4, ""},  {"points", "", 4, ""},
                   {"friction", "", 3, ""}, {"gap", "mm", 3, "largest distance between the surfaces"}};
  table.scene = index;
  for (const model::SceneInterface& interface : contacts.interfaces) {
    table.rows.push_back(
        {scene.bodies[interface.body_a].name, scene.bodies[interface.body_b].name,
         1e4 * interface.patch.area_m2, static_cast<double>(interface.patch.points_W.size()),
         interface.friction,
         std::abs(interface.patch.gap_max_m) < 1e-12 ? 0.0 : 1e3 * interface.patch.gap_max_m});
    RowLink link;
    if (view.bodies[interface.body_b].is_valid()) link.body = view.bodies[interface.body_b];
    table.links.push_back(link);
  }
  return table;
}

}  // namespace prehend::report
