#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include <prehend/report/html/page_json.h>

namespace prehend::report {
namespace {

using Eigen::Vector3d;

void require_finite(const Vector3d& v, const std::string& where, const char* what) {
  if (!v.allFinite())
    refuse(where, std::string(what) + " is not finite; a page can only show finite geometry");
}

void write_pose(model::JsonWriter& json, const char* name, const math::Pose& X, const Vector3d& origin) {
  const Vector3d p = X.p() - origin;
  json.key(name).array();
  for (const double number : {p.x(), p.y(), p.z(), X.q().w(), X.q().x(), X.q().y(), X.q().z()})
    json.value(number);
  json.end();
}

void write_points(model::JsonWriter& json, BufferStore& store, const char* name,
                  const std::vector<Vector3d>& points, const Vector3d& origin) {
  std::vector<double> numbers;
  numbers.reserve(3 * points.size());
  for (const Vector3d& p : points)
    for (int axis = 0; axis < 3; ++axis) numbers.push_back(p[axis] - origin[axis]);
  json.key(name).object().field("buffer", store.add_float32(numbers, 3)).field("rows", points.size()).end();
}

void write_body_link(model::JsonWriter& json, const std::optional<BodyIndex>& body, const Scene3d& scene,
                     const std::string& where) {
  if (!body) return;
  if (!body->is_valid() || *body >= scene.bodies.size())
    refuse(where, "body index " + std::to_string(body->value()) + " is out of range; the scene has " +
                      std::to_string(scene.bodies.size()) + " bodies");
  json.field("body", body->value());
}

void write_mesh(model::JsonWriter& json, BufferStore& store, const geometry::TriangleMesh& mesh,
                const std::string& where) {
  for (const Vector3d& v : mesh.vertices) require_finite(v, where, "a vertex");
  const int count = static_cast<int>(mesh.vertices.size());
  std::vector<std::int32_t> indices;
  indices.reserve(3 * mesh.triangles.size());
  for (const Eigen::Vector3i& t : mesh.triangles)
    for (int corner = 0; corner < 3; ++corner) {
      if (t[corner] < 0 || t[corner] >= count)
        refuse(where, "a triangle names vertex " + std::to_string(t[corner]) + "; the mesh has " +
                          std::to_string(count));
      indices.push_back(t[corner]);
    }
  // Relative to the mesh's own centre: the graphics card computes in single precision.
  const geometry::Aabb box = geometry::bounding_box(mesh.vertices);
  const Vector3d centre = box.is_empty() ? Vector3d::Zero() : Vector3d(0.5 * (box.lower + box.upper));
  const double step = box.diagonal() > 0.0 ? box.diagonal() * std::ldexp(1.0, -20) : 1.0;
  std::vector<double> numbers;
  numbers.reserve(3 * mesh.vertices.size());
  for (const Vector3d& v : mesh.vertices)
    for (int axis = 0; axis < 3; ++axis) numbers.push_back(v[axis] - centre[axis]);
  json.field("centre", centre);
  json.key("vertices").object();
  json.field("buffer", store.add_quantised(numbers, 3, {{0.0}, {step}})).field("rows", mesh.vertices.size());
  json.field("step", step).end();
  json.key("triangles").object();
  json.field("buffer", store.add_integers(indices, 3)).field("rows", mesh.triangles.size()).end();
}

void write_body(model::JsonWriter& json, BufferStore& store, const SceneBody& body, const Vector3d& origin,
                const std::string& where) {
  if (!(body.opacity >= 0.0 && body.opacity <= 1.0))
    refuse(where, "opacity " + std::to_string(body.opacity) + " must lie in [0, 1]");
  require_finite(body.X_WB.p(), where, "its position");
  if (!body.X_WB.q().coeffs().allFinite()) refuse(where, "its orientation is not finite");
  json.object().field("name", body.name).field_unless_empty("hover", body.hover);
  json.field("colour", css_colour(body.colour))
      .field("opacity", body.opacity)
      .field("backdrop", body.backdrop);
  write_pose(json, "pose", body.X_WB, origin);
  write_mesh(json, store, body.mesh_B, where);
  json.key("maps").array();
  for (const ScalarMap& map : body.maps) write_map(json, store, map, body.mesh_B.vertices.size(), where);
  json.end().key("properties");
  write_facts(json, body.properties);
  json.end();
}

void write_point_layer(model::JsonWriter& json, BufferStore& store, const PointLayer& layer,
                       const Scene3d& scene, const Vector3d& origin, const std::string& where) {
  for (const Vector3d& p : layer.points) require_finite(p, where, "a point");
  if (!layer.hover.empty() && layer.hover.size() != layer.points.size())
    refuse(where, "has " + std::to_string(layer.hover.size()) + " hover texts for " +
                      std::to_string(layer.points.size()) + " points");
  if (!(layer.radius >= 0.0) || !std::isfinite(layer.radius))
    refuse(where, "the radius must be finite and at least 0");
  json.object().field("name", layer.name).field("colour", css_colour(layer.colour));
  json.field("radius", layer.radius).field("visible", layer.visible);
  write_body_link(json, layer.body, scene, where);
  write_points(json, store, "points", layer.points, layer.body ? Vector3d::Zero() : origin);
  if (!layer.hover.empty()) json.field("hover", layer.hover);
  if (layer.map) {
    json.key("map");
    write_map(json, store, *layer.map, layer.points.size(), where);
  }
  json.end();
}

void write_arrow_layer(model::JsonWriter& json, BufferStore& store, const ArrowLayer& layer,
                       const Scene3d& scene, const Vector3d& origin, const std::string& where) {
  if (!(layer.scale >= 0.0) || !std::isfinite(layer.scale))
    refuse(where, "the scale must be finite and at least 0");
  const Vector3d from = layer.body ? Vector3d::Zero() : origin;
  std::vector<double> numbers;
  for (const Arrow& arrow : layer.arrows) {
    require_finite(arrow.point, where, "the point of an arrow");
    require_finite(arrow.vector, where, "an arrow");
    for (int axis = 0; axis < 3; ++axis) numbers.push_back(arrow.point[axis] - from[axis]);
    for (int axis = 0; axis < 3; ++axis) numbers.push_back(arrow.vector[axis]);
  }
  json.object().field("name", layer.name).field("unit", layer.unit).field("colour", css_colour(layer.colour));
  json.field("scale", layer.scale).field("endsAtPoint", layer.ends_at_point).field("visible", layer.visible);
  write_body_link(json, layer.body, scene, where);
  json.key("arrows").object().field("buffer", store.add_float32(numbers, 6));
  json.field("rows", layer.arrows.size()).end();
  if (std::any_of(layer.arrows.begin(), layer.arrows.end(),
                  [](const Arrow& arrow) { return !arrow.hover.empty(); })) {
    json.key("hover").array();
    for (const Arrow& arrow : layer.arrows) json.value(arrow.hover);
    json.end();
  }
  json.end();
}

void write_line(model::JsonWriter& json, BufferStore& store, const Polyline& line, const Scene3d& scene,
                const Vector3d& origin, const std::string& where) {
  for (const Vector3d& p : line.points) require_finite(p, where, "a point");
  json.object().field("name", line.name).field("colour", css_colour(line.colour));
  json.field("width", line.width_px).field("closed", line.closed).field("visible", line.visible);
  if (!line.hover.empty()) json.field("hover", line.hover);
  write_body_link(json, line.body, scene, where);
  write_points(json, store, "points", line.points, line.body ? Vector3d::Zero() : origin);
  json.end();
}

// Corners of what is fixed, without a floor or wall that would dwarf the rest: at least five times the smallest body's size.
std::vector<Vector3d> fixed_things(const Scene3d& scene) {
  std::vector<geometry::Aabb> boxes;
  double smallest = std::numeric_limits<double>::infinity();
  for (const SceneBody& body : scene.bodies) {
    if (body.mesh_B.vertices.empty()) continue;
    std::vector<Vector3d> vertices_W;
    for (const Vector3d& v : body.mesh_B.vertices) vertices_W.push_back(body.X_WB * v);
    boxes.push_back(geometry::bounding_box(vertices_W));
    smallest = std::min(smallest, boxes.back().diagonal());
  }
  std::vector<Vector3d> points;
  for (const geometry::Aabb& box : boxes) {
    if (box.diagonal() > 5.0 * smallest) continue;
    points.push_back(box.lower);
    points.push_back(box.upper);
  }
  return points;
}

// What the first view shows: the bodies at rest, and where the motions carry them, within reason.
geometry::Aabb view_box(const Scene3d& scene) {
  std::vector<Vector3d> points;
  const auto collect = [&](bool backdrop) {
    for (const SceneBody& body : scene.bodies)
      if (body.backdrop == backdrop)
        for (const Vector3d& v : body.mesh_B.vertices) points.push_back(body.X_WB * v);
  };
  collect(false);
  for (const PointLayer& layer : scene.points)
    if (!layer.body) points.insert(points.end(), layer.points.begin(), layer.points.end());
  for (const Polyline& line : scene.lines)
    if (!line.body) points.insert(points.end(), line.points.begin(), line.points.end());
  for (const ArrowLayer& layer : scene.arrows)
    if (!layer.body)
      for (const Arrow& arrow : layer.arrows) points.push_back(arrow.point);
  if (points.empty()) points = fixed_things(scene);
  if (points.empty())
    for (const SceneFrame& frame : scene.frames) points.push_back(frame.X_PF.p());
  geometry::Aabb box = geometry::bounding_box(points);
  if (box.is_empty()) return box;
  const Vector3d reach = Vector3d::Constant(0.6 * box.diagonal());
  const geometry::Aabb limit{box.lower - reach, box.upper + reach};
  for (const Motion& motion : scene.motions)
    for (const BodyTrack& track : motion.tracks)
      for (const math::Pose& X_WB : track.X_WB) {
        const Vector3d p = X_WB.p().cwiseMax(limit.lower).cwiseMin(limit.upper);
        box.lower = box.lower.cwiseMin(p);
        box.upper = box.upper.cwiseMax(p);
      }
  return box;
}

}  // namespace

std::string css_colour(const Colour& colour) {
  const auto byte = [](double component) {
    return static_cast<unsigned>(
        std::lround(255.0 * std::clamp(std::isfinite(component) ? component : 0.0, 0.0, 1.0)));
  };
  char text[16];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", byte(colour.red), byte(colour.green), byte(colour.blue));
  return text;
}

void write_map(model::JsonWriter& json, BufferStore& store, const ScalarMap& map, std::size_t count,
               const std::string& where) {
  if (map.values.size() != count)
    refuse(where, "the map '" + map.name + "' has " + std::to_string(map.values.size()) + " values for " +
                      std::to_string(count) + " points");
  const bool bad_lower = map.lower && !std::isfinite(*map.lower),
             bad_upper = map.upper && !std::isfinite(*map.upper);
  if (bad_lower || bad_upper || (map.lower && map.upper && !(*map.lower <= *map.upper)))
    refuse(where, "the map '" + map.name + "' needs finite ends of its scale, lower <= upper");
  if (map.logarithmic) {
    const bool positive =
        std::all_of(map.values.begin(), map.values.end(), [](double v) { return !(v <= 0.0); });
    if (!positive || (map.lower && *map.lower <= 0.0))
      refuse(where, "the logarithmic map '" + map.name + "' needs positive values");
  }
  if (!map.labels.empty() && map.label_of.size() != count)
    refuse(where, "the map '" + map.name + "' has " + std::to_string(map.label_of.size()) + " labels for " +
                      std::to_string(count) + " points");
  for (const int label : map.label_of)
    if (label < 0 || static_cast<std::size_t>(label) >= map.labels.size())
      refuse(where, "the map '" + map.name + "' names label " + std::to_string(label) + "; it has " +
                        std::to_string(map.labels.size()));
  json.object().field("name", map.name).field("unit", map.unit).field("logarithmic", map.logarithmic);
  if (!map.labels.empty()) {
    json.field("labels", map.labels);
    json.field("labelBuffer", store.add_integers(map.label_of, 1));
  }
  if (map.lower) json.field("lower", *map.lower);
  if (map.upper) json.field("upper", *map.upper);
  json.field("buffer", store.add_float32(map.values, 1)).field("rows", count).end();
}

void write_scene(model::JsonWriter& json, BufferStore& store, const Scene3d& scene,
                 const std::string& where) {
  // Checked first, so that the view's box below sees only finite numbers.
  for (const SceneFrame& frame : scene.frames)
    require_finite(frame.X_PF.p(), where + ", frame '" + frame.name + "'", "its position");
  require_finite(scene.view_direction, where, "the view direction");
  if (!(scene.view_direction.norm() > 0.0)) refuse(where, "the view direction is zero");
  if (scene.ground_height && !std::isfinite(*scene.ground_height))
    refuse(where, "the ground height is not finite");
  const geometry::Aabb box = view_box(scene);
  const double size = box.diagonal() > 0.0 ? box.diagonal() : 1.0;
  const Vector3d centre = box.is_empty() ? Vector3d::Zero() : Vector3d(0.5 * (box.lower + box.upper));
  // Far from the world's origin the viewer works around a nearer one; what it prints is in the world again.
  const Vector3d origin = centre.norm() > 20.0 * size && centre.allFinite() ? centre : Vector3d::Zero();

  json.field("caption", scene.caption).field("size", size).field("origin", origin);
  json.field("lower", Vector3d((box.is_empty() ? centre : box.lower) - origin));
  json.field("upper", Vector3d((box.is_empty() ? centre : box.upper) - origin));
  json.field("viewDirection", Vector3d(scene.view_direction.normalized()));
  if (scene.ground_height) json.field("ground", *scene.ground_height - origin.z());
  json.field_unless_empty("initialMap", scene.initial_map);
  if (scene.initial_motion) {
    if (!scene.initial_motion->is_valid() || *scene.initial_motion >= scene.motions.size())
      refuse(where, "the initial motion is out of range");
    json.field("initialMotion", scene.initial_motion->value());
  }
  json.key("bodies").array();
  for (const SceneBody& body : scene.bodies)
    write_body(json, store, body, origin, where + ", body '" + body.name + "'");
  json.end().key("frames").array();
  for (const SceneFrame& frame : scene.frames) {
    json.object().field("name", frame.name).field("length", frame.length);
    write_body_link(json, frame.body, scene, where + ", frame '" + frame.name + "'");
    write_pose(json, "pose", frame.X_PF, frame.body ? Vector3d::Zero() : origin);
    json.end();
  }
  json.end().key("points").array();
  for (const PointLayer& layer : scene.points)
    write_point_layer(json, store, layer, scene, origin, where + ", points '" + layer.name + "'");
  json.end().key("arrows").array();
  for (const ArrowLayer& layer : scene.arrows)
    write_arrow_layer(json, store, layer, scene, origin, where + ", arrows '" + layer.name + "'");
  json.end().key("lines").array();
  for (const Polyline& line : scene.lines)
    write_line(json, store, line, scene, origin, where + ", line '" + line.name + "'");
  json.end().key("motions").array();
  for (const Motion& motion : scene.motions)
    write_motion(json, store, motion, scene, origin, size, where + ", motion '" + motion.name + "'");
  json.end();
}

}  // namespace prehend::report
