#include <algorithm>
#include <filesystem>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh_check.h>
#include <prehend/geometry/mesh_weld.h>
#include <prehend/geometry/round_shape.h>
#include <prehend/math/house/option_check.h>
#include <prehend/model/file_kind.h>
#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/scene_reader.h>
#include <prehend/placement/placed_object.h>

namespace prehend::placement {
namespace {

using model::BodyIndex;
using model::InputError;

// Where only closedness and orientation matter: a scan that crosses itself somewhere can still be put down.
constexpr geometry::MeshCheckOptions kOutlineOnly{.find_self_intersections = false};

void require_closed(const geometry::TriangleMesh& mesh, const std::string& path) {
  const geometry::MeshReport report = geometry::check_mesh(mesh, kOutlineOnly);
  if (report.status == geometry::MeshStatus::unusable)
    throw InputError(path, 0,
                     "the mesh has no triangles that bound anything; the object needs a closed mesh");
  if (!report.is_closed)
    throw InputError(path, 0,
                     "the mesh is open (" + std::to_string(report.boundary_edges) +
                         " edges with one triangle); the object needs a closed mesh, mend it first");
  const geometry::MassStatus status = geometry::mass_properties(mesh).status;
  if (status == geometry::MassStatus::inside_out)
    throw InputError(path, 0, "the mesh is inside out; turn its triangles");
  if (status != geometry::MassStatus::ok)
    throw InputError(path, 0,
                     std::string("the mesh is ") + to_string(status) + "; the object needs a volume");
}

// The shape of a mesh: a ball or a can where it stands for one.
model::Geom mesh_geom(const geometry::TriangleMesh& mesh, bool keep_facets, std::vector<std::string>& notes) {
  model::Geom geom;
  geom.mesh = mesh;
  const auto round = keep_facets ? std::nullopt : geometry::recognise_round(mesh);
  if (!round) return geom;
  geom.X_BG = round->X_MS;
  geom.mesh = geometry::transformed(mesh, round->X_MS.inverse());
  const Eigen::Vector3d& size = round->shape.size();
  const bool is_ball = round->shape.kind() == geometry::RoundKind::sphere;
  geom.shape = is_ball ? model::Shape::sphere(size[0]) : model::Shape::cylinder(size[0], 2.0 * size[1]);
  notes.push_back(std::string("the object's mesh is taken as the ") + (is_ball ? "ball" : "can") +
                  " it stands for (--keep-facets: as it is)");
  return geom;
}

model::Body mesh_body(const std::string& path, const ObjectFileOptions& options, model::Scene& scene) {
  model::MeshFile file = model::read_mesh_file(path, {.unit = options.unit});
  const geometry::TriangleMesh mesh = geometry::weld_vertices(file.mesh).mesh;
  require_closed(mesh, path);
  const geometry::MassProperties solid = geometry::mass_properties(mesh);
  const double density =
      options.mass ? *options.mass / solid.volume : options.density.value_or(options.scene.density);
  model::Body body;
  body.name = std::filesystem::path(path).stem().string();
  body.movable = true;
  body.inertia.mass = density * solid.volume;
  body.inertia.com = solid.centroid;
  body.inertia.I_com = density * solid.inertia_unit_density;
  body.geoms.push_back(mesh_geom(mesh, options.scene.keep_facets, scene.notes));
  body.geoms.front().friction = options.scene.friction;
  return body;
}

model::Body scene_body(const std::string& path, const ObjectFileOptions& options) {
  model::Scene file = model::read_scene(path, options.scene);
  std::vector<BodyIndex> free;
  for (BodyIndex b(0); b < file.bodies.size(); ++b) {
    if (file.bodies[b].movable) free.push_back(b);
  }
  if (free.empty() && file.format == "urdf" && options.scene.movable.empty()) {
    // A URDF's only link is the object, though its root counts as fixed.
    std::vector<std::string> names;
    for (const model::Body& body : file.bodies) {
      if (!body.geoms.empty() && body.name != "world") names.push_back(body.name);
    }
    if (names.size() == 1) {
      ObjectFileOptions again = options;
      again.scene.movable = names;
      return scene_body(path, again);
    }
  }
  if (free.size() != 1)
    throw InputError(
        path, 0,
        "the file has " +
            std::string(free.empty() ? "no free body" : std::to_string(free.size()) + " free bodies") +
            "; the object to place must be exactly one free body");
  return file.bodies[free.front()];
}

}  // namespace

void ObjectFileOptions::validate() const {
  const math::OptionCheck check("ObjectFileOptions");
  if (density) check.above("density", *density, 0.0, "kg/m^3");
  if (mass) check.above("mass", *mass, 0.0, "kg");
  check.above("unit", unit, 0.0, "m");
  check.holds(!(density && mass), "mass", "given with a density", "one of both");
  scene.validate();
}

BodyIndex add_object(model::Scene& scene, const std::string& path, const ObjectFileOptions& options) {
  options.validate();
  const model::FileKind kind = model::detect_file_type(path).kind;
  if (kind != model::FileKind::mesh && kind != model::FileKind::scene)
    throw InputError(path, 0,
                     std::string("a file of kind ") + to_string(kind) +
                         " is no object; give a mesh, or MJCF or URDF with one free body");
  model::Body body =
      kind == model::FileKind::mesh ? mesh_body(path, options, scene) : scene_body(path, options);
  const std::string name = body.name.empty() ? "object" : body.name;
  body.name = name;
  for (int number = 2; scene.find_body(body.name).is_valid(); ++number)
    body.name = name + "_" + std::to_string(number);
  scene.bodies.push_back(std::move(body));
  return BodyIndex(scene.bodies.size() - 1);
}

}  // namespace prehend::placement
