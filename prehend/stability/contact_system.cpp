#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/math/house/option_check.h>
#include <prehend/model/body_names.h>
#include <prehend/stability/contact_system.h>
#include <prehend/stability/statics/interface_points.h>
#include <prehend/stability/statics/joint_rows.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using model::BodyIndex;

void add_bodies(const model::Scene& scene, const ContactSystemOptions& options, ContactSystem& system) {
  system.node_of_body.assign(scene.bodies.size(), NodeIndex());
  const std::vector<int> groups = scene.rigid_groups();
  for (BodyIndex b(0); b < scene.bodies.size(); ++b) {
    const model::Body& body = scene.bodies[b];
    const bool is_heavy = options.fixed_above > 0.0 && body.inertia.mass >= options.fixed_above;
    if (groups[b] == 0 || is_heavy) continue;
    system.node_of_body[b] = NodeIndex(system.bodies.size());
    system.bodies.push_back({b, body.inertia.mass, body.X_WB * body.inertia.com,
                             -body.carried_mass * scene.gravity_W, body.X_WB * body.carried_com});
  }
}

void add_interface(const model::SceneInterface& found, const ContactSystemOptions& options,
                   std::uint64_t task, ContactSystem& system) {
  const NodeIndex a = system.node_of_body[found.body_a], b = system.node_of_body[found.body_b];
  if (!a.is_valid() && !b.is_valid()) return;
  const geometry::ContactInterface& patch = found.patch;
  std::vector<Vector3d> points;
  if (options.points == ContactPoints::sampled) {
    math::RandomStream random(options.seed, task);
    points = sample_interface(patch, options.samples_per_interface, random);
  } else {
    for (const int corner : patch.hull) points.push_back(patch.points_W[static_cast<std::size_t>(corner)]);
  }
  const InterfaceIndex index(system.interfaces.size());
  system.interfaces.push_back({a, b, found.body_a, found.body_b, patch.n_W, found.friction, patch.area_m2,
                               static_cast<int>(system.contacts.size()), static_cast<int>(points.size())});
  const Eigen::Matrix3d R_WC = contact_frame(patch.n_W);
  for (const Vector3d& p : points) system.contacts.push_back({a, b, index, p, R_WC, found.friction});
}

// The origin in the middle of what moves, and its size: round-off and scaling do not depend on where a scene stands.
void measure(ContactSystem& system) {
  Eigen::AlignedBox3d box;
  for (const SystemBody& body : system.bodies) box.extend(body.com_W);
  for (const SystemContact& contact : system.contacts) box.extend(contact.p_W);
  for (const SystemJoint& joint : system.joints) {
    if (joint.a.is_valid() || joint.b.is_valid()) box.extend(joint.p_W);
  }
  if (box.isEmpty()) return;
  system.origin_W = box.center();
  system.length = 0.5 * box.diagonal().norm();
  if (!(system.length > 0.0)) system.length = 1.0;
  double weight = 0.0;
  for (const SystemBody& body : system.bodies) weight += body.mass * system.gravity_W.norm();
  system.weight = weight > 0.0 ? weight : 1.0;
}

// Facets further away than two of 30 around are no neighbours of one curved surface; those of a post of up to 24 sides are further apart. Facets within
// a tenth of a degree are one: scans and files of six digits leave that much.
constexpr double kFacetsFar = 26.0 * math::kDegree, kFacetsSame = 0.1 * math::kDegree;
constexpr std::size_t kFacetDirections = 3;

// Whether a body looks with many facets near a direction, as a curved surface does that was tessellated and is none of the shapes that are recognised
// (geometry/round_shape.h): handles, scans without rings, eggs that are no bodies of revolution.
bool is_curved_along(const model::Body& body, const Vector3d& n_W) {
  constexpr std::size_t kFewestTriangles = 60;
  for (const model::Geom& geom : body.geoms) {
    // Turned parts touch with their true surface.
    const geometry::TriangleMesh& mesh = geom.turned ? geom.turned->rest : geom.mesh;
    if (geom.shape.kind != model::ShapeKind::mesh || mesh.triangles.size() < kFewestTriangles) continue;
    const Vector3d n = (body.X_WB * geom.X_BG).q().conjugate() * n_W;
    double flat = 0.0, curved = 0.0;
    std::vector<Vector3d> directions;
    for (const Eigen::Vector3i& t : mesh.triangles) {
      const Vector3d& p = mesh.vertices[t[0]];
      const Vector3d area = (mesh.vertices[t[1]] - p).cross(mesh.vertices[t[2]] - p);
      const double size = area.norm(), along = n.dot(area);
      if (!(along > std::cos(kFacetsFar) * size)) continue;
      (along > std::cos(kFacetsSame) * size ? flat : curved) += size;
      const auto is_same = [&](const Vector3d& d) { return d.dot(area) > std::cos(kFacetsSame) * size; };
      if (along <= std::cos(kFacetsSame) * size && directions.size() < kFacetDirections &&
          std::none_of(directions.begin(), directions.end(), is_same))
        directions.push_back(area / size);
    }
    if (directions.size() == kFacetDirections && curved >= flat) return true;
  }
  return false;
}

// Whether two bodies touch with several facets of one curved surface, as cut stones do: they fit, and do not roll on each other.
bool is_fitting(const ContactSystem& system, const SystemInterface& face) {
  std::vector<Vector3d> directions;
  for (const SystemInterface& other : system.interfaces) {
    if (other.body_a != face.body_a || other.body_b != face.body_b) continue;
    const auto is_same = [&](const Vector3d& n) { return n.dot(other.n_W) > std::cos(kFacetsSame); };
    if (face.n_W.dot(other.n_W) > std::cos(kFacetsFar) &&
        std::none_of(directions.begin(), directions.end(), is_same))
      directions.push_back(other.n_W);
  }
  return directions.size() >= kFacetDirections;
}

// "'bowl' touches ..."; empty where nothing does. A flat foot or cap with a rounded rim is wider than its rim, and none.
std::string facets_problem(const model::Scene& scene, const ContactSystem& system) {
  constexpr std::size_t kMostNames = 5;
  std::vector<BodyIndex> bodies;
  const auto look = [&](const SystemInterface& face, bool is_a) {
    const BodyIndex body = is_a ? face.body_a : face.body_b, other = is_a ? face.body_b : face.body_a;
    if (!(is_a ? face.a : face.b).is_valid() || std::find(bodies.begin(), bodies.end(), body) != bodies.end())
      return;
    const Vector3d out_W = is_a ? face.n_W : Vector3d(-face.n_W);
    if (!is_curved_along(scene.bodies[body], out_W)) return;
    if (!is_fitting(system, face) || !is_curved_along(scene.bodies[other], -out_W)) bodies.push_back(body);
  };
  for (const SystemInterface& face : system.interfaces) {
    look(face, true);
    look(face, false);
  }
  if (bodies.empty()) return "";
  return model::quoted_names(system.body_names, bodies, kMostNames) +
         (bodies.size() == 1 ? " touches" : " touch") +
         " with facets of a curved mesh: whether it rolls, and how hard it may be pushed, depends on the "
         "tessellation; balls, cans and turned bodies are taken as round";
}

}  // namespace

void ContactSystemOptions::validate() const {
  const math::OptionCheck check("ContactSystemOptions");
  check.at_least("samples_per_interface", samples_per_interface, 3);
  check.at_least("fixed_above", fixed_above, 0.0, "kg");
  for (int k = 0; k < 3; ++k) check.finite("acceleration_W", acceleration_W[k], "m/s^2");
}

math::Vector6d ContactSystem::force_wrench(const Vector3d& f_W, const Vector3d& p_W) const {
  return (math::Vector6d() << (p_W - origin_W).cross(f_W), f_W).finished();
}

math::Vector6d ContactSystem::gravity_wrench(NodeIndex body) const {
  const SystemBody& its = bodies[body];
  return force_wrench(its.mass * gravity_W, its.com_W) + force_wrench(its.lift_W, its.lift_at_W);
}

Vector3d ContactSystem::relative_velocity(ContactIndex contact,
                                          const std::vector<math::Vector6d>& motion) const {
  const SystemContact& c = contacts[contact];
  math::Vector6d twist = math::Vector6d::Zero();
  if (c.b.is_valid()) twist += motion[c.b];
  if (c.a.is_valid()) twist -= motion[c.a];
  return twist.tail<3>() + twist.head<3>().cross(c.p_W - origin_W);
}

double JointRow::rate(const std::vector<math::Vector6d>& motion) const {
  double rate = 0.0;
  for (const Part& part : parts) rate += part.wrench.dot(motion[part.body]);
  return rate;
}

ContactSystem build_contact_system(const model::Scene& scene, const ContactSystemOptions& options) {
  ContactSystem system =
      build_contact_system(scene, model::find_scene_contacts(scene, options.contact), options);
  if (std::string problem = facets_problem(scene, system); !problem.empty())
    system.problems.push_back(std::move(problem));
  return system;
}

ContactSystem build_contact_system(const model::Scene& scene, const model::SceneContacts& contacts,
                                   const ContactSystemOptions& options) {
  options.validate();
  ContactSystem system;
  system.body_names = model::body_names(scene);
  system.gravity_W = scene.gravity_W - options.acceleration_W;
  add_bodies(scene, options, system);
  for (std::size_t i = 0; i < contacts.interfaces.size(); ++i) {
    add_interface(contacts.interfaces[i], options, i, system);
  }
  list_joints(scene, system);
  measure(system);
  add_joint_rows(scene, system);
  system.penetrations = contacts.penetrations;
  for (const BodyIndex b : contacts.floating) {
    if (system.node_of_body[b].is_valid()) system.floating.push_back(system.node_of_body[b]);
  }
  system.problems.insert(system.problems.begin(), contacts.problems.begin(), contacts.problems.end());
  // What the reader could not take as it stands concerns every answer.
  system.problems.insert(system.problems.end(), scene.problems.begin(), scene.problems.end());
  return system;
}

}  // namespace prehend::stability
