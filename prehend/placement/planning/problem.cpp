#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include <prehend/geometry/mass_properties.h>
#include <prehend/model/body_names.h>
#include <prehend/placement/planning/problem.h>

namespace prehend::placement {
namespace {

using model::BodyIndex;
using model::GeomIndex;
using model::GeomRef;
using model::ShapeKind;

std::shared_ptr<const geometry::RoundShape> true_surface(const model::Shape& shape) {
  using geometry::RoundShape;
  switch (shape.kind) {
    case ShapeKind::sphere:
      return std::make_shared<const RoundShape>(RoundShape::sphere(shape.size[0]));
    case ShapeKind::capsule:
      return std::make_shared<const RoundShape>(RoundShape::capsule(shape.size[0], shape.size[1]));
    case ShapeKind::cylinder:
      return std::make_shared<const RoundShape>(RoundShape::cylinder(shape.size[0], shape.size[1]));
    case ShapeKind::ellipsoid:
      return std::make_shared<const RoundShape>(RoundShape::ellipsoid(shape.size));
    case ShapeKind::box:
    case ShapeKind::plane:
    case ShapeKind::mesh:
      break;
  }
  return nullptr;
}

// Numbers geoms of one body that the rules of friction treat alike, as model/scene_contacts.cpp does; geoms of an explicit pair stand alone.
class SurfaceNumbers {
 public:
  explicit SurfaceNumbers(const model::Scene& scene) : scene_(scene) {}
  int of(GeomRef ref) {
    const model::Geom& geom = scene_.geom(ref);
    const bool is_paired =
        std::any_of(scene_.geom_pairs.begin(), scene_.geom_pairs.end(),
                    [&](const model::GeomPair& pair) { return pair.a == ref || pair.b == ref; });
    const auto key = std::make_tuple(ref.body.value(), geom.friction, geom.priority, geom.contype,
                                     geom.conaffinity, geom.condim, is_paired ? ref.geom.value() : -1);
    return numbers_.try_emplace(key, static_cast<int>(numbers_.size())).first->second;
  }

 private:
  const model::Scene& scene_;
  std::map<std::tuple<int, double, int, int, int, int, int>, int> numbers_;
};

void check_object(const model::Scene& scene, BodyIndex object) {
  if (!object.is_valid() || object >= scene.bodies.size())
    throw std::invalid_argument("the scene has no such object");
  const model::Body& body = scene.bodies[object];
  const std::string name = "'" + body.name + "'";
  if (!body.movable)
    throw std::invalid_argument(name + " is fixed; the object to place must be a movable body");
  const auto is_joined = [&](const model::Joint& joint) {
    return joint.type != model::JointType::free && (joint.parent == object || joint.child == object);
  };
  if (std::any_of(scene.joints.begin(), scene.joints.end(), is_joined) ||
      std::any_of(scene.loop_joints.begin(), scene.loop_joints.end(), is_joined))
    throw std::invalid_argument(name + " hangs on a joint; only a single free body can be placed");
  if (!(body.inertia.mass > 0.0)) throw std::invalid_argument(name + " has no mass");
  if (body.geoms.empty()) throw std::invalid_argument(name + " has no shape");
  for (const model::Geom& geom : body.geoms) {
    if (geom.shape.kind == ShapeKind::plane)
      throw std::invalid_argument(name + " has an unbounded plane; it cannot be placed");
    const geometry::MassStatus status = geometry::mass_properties(geom.mesh).status;
    if (status != geometry::MassStatus::ok && status != geometry::MassStatus::inside_out)
      throw std::invalid_argument("a mesh of " + name + " is " + to_string(status) +
                                  "; the object needs closed shapes with volume");
  }
}

// The scene without shapes. They are put aside meanwhile: meshes are not copied.
model::Scene without_shapes(model::Scene& scene) {
  std::vector<std::vector<model::Geom>> aside;
  for (model::Body& body : scene.bodies) {
    aside.push_back(std::move(body.geoms));
    body.geoms.clear();
  }
  model::Scene bare = scene;
  for (std::size_t b = 0; b < aside.size(); ++b) scene.bodies[b].geoms = std::move(aside[b]);
  return bare;
}

// Contacts between all bodies but the object, which is put aside meanwhile.
model::SceneContacts contacts_of_rest(model::Scene& scene, BodyIndex object,
                                      const geometry::ContactOptions& options) {
  model::Body& body = scene.bodies[object];
  const std::vector<model::GeomPair> pairs = scene.geom_pairs;
  std::vector<model::Geom> geoms = std::move(body.geoms);
  body.geoms.clear();
  body.movable = false;  // it neither floats nor weighs
  std::erase_if(scene.geom_pairs,
                [&](const model::GeomPair& pair) { return pair.a.body == object || pair.b.body == object; });
  model::SceneContacts contacts = model::find_scene_contacts(scene, options);
  body.geoms = std::move(geoms);
  body.movable = true;
  scene.geom_pairs = pairs;
  return contacts;
}

void check_touch(const model::Scene& scene, BodyIndex object, const PlacementOptions& options,
                 std::vector<bool>& may_touch) {
  may_touch.assign(scene.bodies.size(), options.touch.empty());
  for (const std::string& name : options.touch) {
    const BodyIndex body = scene.find_body(name);
    if (!body.is_valid()) throw std::invalid_argument("touch: " + model::no_such_body(scene, name));
    if (body == object) throw std::invalid_argument("touch: '" + name + "' is the object itself");
    may_touch[body] = true;
  }
  may_touch[object] = false;
}

}  // namespace

double Problem::friction(const PreparedGeom& own_geom, const PreparedGeom& other) const {
  if (!model::may_touch(scene, own_geom.ref, other.ref)) return -1.0;
  return model::pair_friction(scene, own_geom.ref, other.ref);
}

namespace {

void find_own_hull(Problem& problem) {
  std::vector<Eigen::Vector3d> points;
  std::vector<int> geom_of;
  for (std::size_t g = 0; g < problem.own.size(); ++g) {
    for (const Eigen::Vector3d& v : problem.own[g].polyhedron.vertices()) {
      points.push_back(problem.own[g].X_BG * v);
      geom_of.push_back(static_cast<int>(g));
    }
  }
  if (problem.own.size() == 1 && problem.own.front().is_box) {
    problem.own_hull.status = geometry::HullStatus::ok;
    problem.own_hull.mesh = problem.own.front().polyhedron.mesh();
    problem.own_hull.mesh.vertices = points;
    problem.own_hull_geom.assign(points.size(), 0);
    return;
  }
  problem.own_hull = geometry::convex_hull(points);
  for (const int i : problem.own_hull.point_of)
    problem.own_hull_geom.push_back(geom_of[static_cast<std::size_t>(i)]);
}

}  // namespace

Problem prepare(const model::Scene& scene, BodyIndex object, const PlacementOptions& options) {
  options.validate();
  check_object(scene, object);
  Problem problem;
  problem.scene = scene;
  problem.object = object;
  problem.options = options;
  problem.gravity = scene.gravity_W.norm();
  if (problem.gravity > 0.0) problem.up_W = -scene.gravity_W / problem.gravity;
  problem.groups = scene.rigid_groups();
  check_touch(scene, object, options, problem.may_touch);
  SurfaceNumbers numbers(scene);
  for (BodyIndex b(0); b < scene.bodies.size(); ++b) {
    const model::Body& body = scene.bodies[b];
    for (GeomIndex g(0); g < body.geoms.size(); ++g) {
      const GeomRef ref{b, g};
      auto& list = b == object ? problem.own : problem.others;
      list.push_back({ref, numbers.of(ref), geometry::Polyhedron::from_mesh(body.geoms[g].mesh),
                      true_surface(body.geoms[g].shape), body.geoms[g].X_BG, body.X_WB * body.geoms[g].X_BG,
                      body.geoms[g].shape.kind == ShapeKind::box});
    }
  }
  find_own_hull(problem);
  problem.bare = without_shapes(problem.scene);
  problem.contacts = contacts_of_rest(problem.scene, object, options.contact);
  std::erase(problem.contacts.problems, "no body of the scene is movable; name one with --movable");
  return problem;
}

}  // namespace prehend::placement
