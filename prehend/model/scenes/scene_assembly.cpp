#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include <sys/stat.h>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh_check.h>
#include <prehend/geometry/primitives.h>
#include <prehend/geometry/round_shape.h>
#include <prehend/model/body_names.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scenes/scene_assembly.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

// An atom's size to beyond the moon, and a mountain: what lies outside is an error of units, and products of what lies
// inside keep their digits.
constexpr double kSmallestLength = 1e-9, kLargestLength = 1e9;  // [m]
constexpr double kLargestMass = 1e15;                           // [kg]

// Couplings name joints by number; one without a joint loses that term, whose rate is zero.
template <class Predicate>
void remove_joints(Scene& scene, const Predicate& is_gone) {
  std::vector<JointIndex> renumbered(scene.joints.size());
  std::vector<Joint> kept;
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    if (is_gone(scene.joints[j])) continue;
    renumbered[j] = JointIndex(kept.size());
    kept.push_back(scene.joints[j]);
  }
  scene.joints = std::move(kept);
  for (JointCoupling& coupling : scene.couplings) {
    for (JointCoupling::Term& term : coupling.terms) term.joint = renumbered[term.joint];
    std::erase_if(coupling.terms, [](const JointCoupling::Term& term) { return !term.joint.is_valid(); });
  }
}

void apply_joint_torques(Scene& scene, const std::string& file, const SceneOptions& options) {
  for (const SceneOptions::JointTorque& given : options.joint_torques) {
    bool is_found = false;
    for (Joint& joint : scene.joints) {
      if (joint.type == JointType::rigid || joint.type == JointType::free) continue;
      if (given.joint != "all" && given.joint != joint.name) continue;
      joint.motor = given.torque;
      is_found = true;
    }
    if (is_found) continue;
    std::string known;
    int count = 0;
    for (const Joint& joint : scene.joints) {
      if (joint.type == JointType::rigid || joint.type == JointType::free || ++count > 12) continue;
      known += (known.empty() ? "" : ", ") + joint.name;
    }
    throw InputError(file, 0,
                     "the scene has no joint named " + in_quotes(given.joint) + " that moves" +
                         (known.empty() ? std::string("; it has none at all") : "; it has: " + known));
  }
}

void apply_named_bodies(Scene& scene, const std::string& file, const SceneOptions& options) {
  const auto find = [&](const std::string& name) {
    const BodyIndex body = scene.find_body(name);
    if (!body.is_valid()) throw InputError(file, 0, no_such_body(scene, name));
    return body;
  };
  for (const std::string& name : options.fixed) {
    const BodyIndex body = find(name);
    scene.bodies[body].movable = false;
    remove_joints(scene, [&](const Joint& joint) { return joint.child == body; });
  }
  for (const std::string& name : options.movable) {
    const BodyIndex body = find(name);
    if (body == scene.world()) throw InputError(file, 0, "the world cannot be set free; name another body");
    if (scene.bodies[body].movable) continue;
    for (const Joint& joint : scene.joints) {
      if (joint.child == body) {
        throw InputError(file, scene.bodies[body].line,
                         "body " + in_quotes(name) + " hangs on joint " + in_quotes(joint.name) +
                             " and cannot be set free");
      }
    }
    scene.bodies[body].movable = true;
    Joint joint;
    joint.name = name + "_free";
    joint.type = JointType::free;
    joint.parent = scene.world();
    joint.child = body;
    joint.X_PC = scene.bodies[body].X_WB;
    scene.joints.push_back(joint);
  }
}

void remove_bodies(Scene& scene, const std::vector<bool>& gone) {
  std::vector<BodyIndex> renumbered(scene.bodies.size());
  std::vector<Body> kept;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (gone[i]) continue;
    renumbered[i] = BodyIndex(kept.size());
    kept.push_back(std::move(scene.bodies[i]));
  }
  scene.bodies = std::move(kept);
  const auto move_to = [&](BodyIndex& index) { index = renumbered[index]; };
  for (Joint& joint : scene.joints) move_to(joint.parent), move_to(joint.child);
  for (Joint& joint : scene.loop_joints) move_to(joint.parent), move_to(joint.child);
  for (GeomPair& pair : scene.geom_pairs) move_to(pair.a.body), move_to(pair.b.body);
  for (BodyPair& pair : scene.body_pairs) move_to(pair.a), move_to(pair.b);
  for (ExcludedPair& pair : scene.excluded_pairs) move_to(pair.a), move_to(pair.b);
  for (JointCoupling& coupling : scene.couplings) {
    for (JointCoupling::Point& point : coupling.points) move_to(point.body);
  }
}

// The movable body that each body is welded to through rigid joints alone; invalid for all others. Linear
// time.
std::vector<BodyIndex> welded_carriers(const Scene& scene) {
  std::vector<BodyIndex> weld_parent(scene.bodies.size()), carrier(scene.bodies.size());
  for (const Joint& joint : scene.joints) {
    if (joint.type == JointType::rigid) weld_parent[joint.child] = joint.parent;
  }
  std::vector<bool> known(scene.bodies.size(), false);
  for (std::size_t start = 0; start < scene.bodies.size(); ++start) {
    std::vector<BodyIndex> chain;
    BodyIndex top(start);
    while (!known[top] && !scene.bodies[top].movable && weld_parent[top].is_valid()) {
      known[top] = true;
      chain.push_back(top);
      top = weld_parent[top];
    }
    const BodyIndex found = scene.bodies[top].movable ? top : carrier[top];
    for (const BodyIndex body : chain) carrier[body] = found;
  }
  return carrier;
}

void merge_welded(Scene& scene) {
  const std::vector<BodyIndex> carrier = welded_carriers(scene);
  std::vector<bool> gone(scene.bodies.size(), false);
  std::vector<std::size_t> first_geom(scene.bodies.size(), 0);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!carrier[i].is_valid()) continue;
    gone[i] = true;
    Body& part = scene.bodies[i];
    Body& whole = scene.bodies[carrier[i]];
    const math::Pose X_BC = whole.X_WB.inverse() * part.X_WB;
    first_geom[i] = whole.geoms.size();
    for (Geom& geom : part.geoms) {
      geom.X_BG = X_BC * geom.X_BG;
      whole.geoms.push_back(std::move(geom));
    }
    if (part.carried_mass != 0.0) {
      const double carried = whole.carried_mass + part.carried_mass;
      const Eigen::Vector3d moment =
          whole.carried_mass * whole.carried_com + part.carried_mass * (X_BC * part.carried_com);
      whole.carried_mass = carried;
      whole.carried_com = carried != 0.0 ? Eigen::Vector3d(moment / carried) : Eigen::Vector3d::Zero();
    }
    if (part.inertia.mass != 0.0) whole.inertia = whole.inertia + part.inertia.expressed_in(X_BC);
    scene.notes.push_back("body " + in_quotes(part.name) + " is welded to the movable body " +
                          in_quotes(whole.name) + " and counts as part of it");
  }
  if (std::find(gone.begin(), gone.end(), true) == gone.end()) return;
  remove_joints(scene, [&](const Joint& joint) { return gone[joint.child]; });
  for (Joint& joint : scene.loop_joints) {
    if (gone[joint.child]) {
      const math::Pose X_BC =
          scene.bodies[carrier[joint.child]].X_WB.inverse() * scene.bodies[joint.child].X_WB;
      joint.p_CJ = X_BC * joint.p_CJ;
      joint.child = carrier[joint.child];
    }
    if (gone[joint.parent]) joint.parent = carrier[joint.parent];
  }
  std::erase_if(scene.loop_joints, [](const Joint& joint) { return joint.parent == joint.child; });
  for (Joint& joint : scene.joints) {
    if (!gone[joint.parent]) continue;
    const BodyIndex whole = carrier[joint.parent];
    joint.X_PC = scene.bodies[whole].X_WB.inverse() * scene.bodies[joint.parent].X_WB * joint.X_PC;
    joint.parent = whole;
  }
  for (JointCoupling& coupling : scene.couplings) {
    for (JointCoupling::Point& point : coupling.points) {
      if (!gone[point.body]) continue;
      const BodyIndex whole = carrier[point.body];
      point.p_B = scene.bodies[whole].X_WB.inverse() * (scene.bodies[point.body].X_WB * point.p_B);
      point.body = whole;
    }
  }
  for (GeomPair& pair : scene.geom_pairs) {
    for (GeomRef* ref : {&pair.a, &pair.b}) {
      if (gone[ref->body]) *ref = {carrier[ref->body], GeomIndex(first_geom[ref->body] + ref->geom)};
    }
  }
  const auto follow = [&](auto& pairs) {
    for (auto& pair : pairs) {
      for (BodyIndex* body : {&pair.a, &pair.b}) {
        if (gone[*body]) *body = carrier[*body];
      }
    }
    std::erase_if(pairs, [](const auto& pair) { return pair.a == pair.b; });
  };
  follow(scene.body_pairs);
  follow(scene.excluded_pairs);
  remove_bodies(scene, gone);
}

// A free body has no relation to a parent: all free joints start at the world, as MuJoCo has it. Where every link
// counts, whatever holds it, a floating joint keeps the parent that its file names.
void root_free_joints(Scene& scene) {
  for (Joint& joint : scene.joints) {
    if (joint.type != JointType::free) continue;
    joint.parent = scene.world();
    joint.X_PC = scene.bodies[joint.child].X_WB;
  }
}

// A plane is unbounded; its slab reaches ten times past everything else, seen from the plane's own origin.
void make_plane_meshes(Scene& scene) {
  std::vector<Eigen::Vector3d> boxes_W;  // corners of the boxes around all geoms; one pass over the vertices
  for (const Body& body : scene.bodies) {
    for (const Geom& geom : body.geoms) {
      if (geom.shape.kind == ShapeKind::plane || geom.mesh.vertices.empty()) continue;
      const geometry::Aabb box =
          geometry::bounding_box(geometry::transformed(geom.mesh, body.X_WB * geom.X_BG).vertices);
      boxes_W.push_back(box.lower);
      boxes_W.push_back(box.upper);
    }
  }
  const geometry::Aabb all = geometry::bounding_box(boxes_W);
  for (Body& body : scene.bodies) {
    for (Geom& geom : body.geoms) {
      if (geom.shape.kind != ShapeKind::plane) continue;
      const Eigen::Vector3d origin_W = (body.X_WB * geom.X_BG).p();
      const double reach =
          all.is_empty()
              ? 0.0
              : (all.lower - origin_W).cwiseAbs().cwiseMax((all.upper - origin_W).cwiseAbs()).norm();
      const double side = reach > 0.0 ? 20.0 * reach : 1.0;
      geom.mesh = geometry::make_box({side, side, side});
      for (Eigen::Vector3d& vertex : geom.mesh.vertices) vertex.z() = vertex.z() > 0.0 ? 0.0 : -side;
    }
  }
}

// Files print inertia with few digits: a rod or plate misses the triangle inequality by their rounding. What no rounding
// explains is an error for a free body, and for every link where every link counts; no other body's inertia is used.
void check_inertia(Scene& scene, const Body& body, const std::string& file, const SceneOptions& options) {
  const math::ConsistencyReport report = math::check_consistency(body.inertia, 1e-6);
  if (report.is_consistent()) return;
  const std::string what = "body " + in_quotes(body.name) + ": " + report.brief_report();
  const bool rounded = math::check_consistency(body.inertia, kInertiaRounding).is_consistent();
  if (!rounded && (body.movable || !options.merge_welded))
    throw InputError(file, body.line, what + "; correct the inertia");
  const std::string percent = exact_number(100.0 * kInertiaRounding) + " % of the largest moment";
  scene.problems.push_back(
      what + (rounded ? "; by no more than " + percent + ", as rounded files have it, and taken as written"
                      : "; by more than " + percent + ": correct the inertia before the body is set free"));
}

// A centre of mass no farther off a can's axis or a ball's centre than its mesh is off the surface stands there: otherwise the can
// would roll for what its vertices were rounded by. One that is farther off is meant.
void centre_mass(Body& body, const math::Pose& X_BS, const geometry::RecognisedRound& round) {
  if (body.inertia.mass == 0.0) return;
  Eigen::Vector3d off_S = X_BS.inverse() * body.inertia.com;
  if (round.shape.kind() != geometry::RoundKind::sphere) off_S.z() = 0.0;
  if (off_S.norm() <= std::max(round.deviation, round.facet_depth)) body.inertia.com -= X_BS.q() * off_S;
}

// Bowls, bottles, cones, rings: the mesh stays, and its turned parts touch with their true surface.
void take_turned_mesh(Scene& scene, Body& body, Geom& geom) {
  auto turned = geometry::recognise_turned(geom.mesh);
  if (turned.parts.empty()) return;
  int sides = turned.parts.front().sides;
  double depth = 0.0;
  for (const geometry::TurnedMesh::Part& part : turned.parts) {
    sides = std::min(sides, part.sides);
    depth = std::max(depth, part.round.facet_depth);
  }
  const bool is_whole = turned.parts.size() == 1 && turned.rest.triangles.empty();
  char text[240];
  std::snprintf(text, sizeof text,
                " (%zu triangles) %s taken as the turned bod%s that %s for: %d or more sides, facets up to "
                "%.2g mm off the surface (--keep-facets takes them as they are)",
                geom.mesh.triangles.size(), is_whole ? "is" : "has parts that are", is_whole ? "y" : "ies",
                is_whole ? "it stands" : "they stand", sides, 1e3 * depth);
  scene.notes.push_back("the mesh " + in_quotes(geom.name) + text);
  if (is_whole && body.geoms.size() == 1)
    centre_mass(body, geom.X_BG * turned.parts.front().round.X_MS, turned.parts.front().round);
  geom.turned = std::make_shared<const geometry::TurnedMesh>(std::move(turned));
}

// A scanned can, a tessellated ball: no verdict shall depend on how it is turned about its axis.
void take_round_meshes(Scene& scene) {
  for (Body& body : scene.bodies) {
    for (Geom& geom : body.geoms) {
      if (geom.shape.kind != ShapeKind::mesh) continue;
      const auto round = geometry::recognise_round(geom.mesh);
      if (!round) {
        take_turned_mesh(scene, body, geom);
        continue;
      }
      const bool is_ball = round->shape.kind() == geometry::RoundKind::sphere;
      const double radius = round->shape.size()[0], length = 2.0 * round->shape.size()[1];
      char text[240];
      std::snprintf(text, sizeof text,
                    " (%zu triangles) is taken as the %s that it stands for: radius %.4g m%s%s, facets up to "
                    "%.2g mm below it "
                    "(--keep-facets takes them as they are)",
                    geom.mesh.triangles.size(), is_ball ? "ball" : "cylinder", radius,
                    is_ball ? "" : ", length ",
                    is_ball ? "" : (exact_number(std::round(length * 1e6) / 1e6) + " m").c_str(),
                    1e3 * round->facet_depth);
      scene.notes.push_back("the mesh " + in_quotes(geom.name) + text);
      geom.shape = is_ball ? Shape::sphere(radius) : Shape::cylinder(radius, length);
      geom.mesh = geometry::transformed(geom.mesh, round->X_MS.inverse());
      geom.X_BG = geom.X_BG * round->X_MS;
      centre_mass(body, geom.X_BG, *round);
    }
  }
}

void check_body(Scene& scene, const Body& body, const std::string& file, const SceneOptions& options) {
  const auto fail = [&](const std::string& what) {
    throw InputError(file, body.line, "body " + in_quotes(body.name) + ": " + what);
  };
  if (!(body.X_WB.p().cwiseAbs().maxCoeff() <= kLargestLength)) {
    fail("it stands farther than " + exact_number(kLargestLength) + " m from the origin; check the units");
  }
  if (!(std::abs(body.inertia.mass) <= kLargestMass)) {
    fail("the mass " + exact_number(body.inertia.mass) + " kg is beyond " + exact_number(kLargestMass) +
         " kg; check the units");
  }
  if (body.inertia.mass < 0.0) fail("the mass " + exact_number(body.inertia.mass) + " kg is negative");
  if (body.movable && body.inertia.mass == 0.0) {
    fail("a movable body needs a positive mass; give it an inertia, a mass or a density");
  }
  if (body.movable && body.inertia.I_com.isZero(0.0)) {
    fail("a movable body needs an inertia above zero; give it one, or a density");
  }
  if (body.inertia.mass > 0.0) check_inertia(scene, body, file, options);
  if (body.movable && body.geoms.empty()) {
    scene.problems.push_back("the movable body " + in_quotes(body.name) +
                             " has no geometry and touches nothing");
  }
}

// A mesh with holes touches with the faces that it has: a can without bottom stands on nothing. Named for bodies that move.
void report_open_meshes(Scene& scene, const std::vector<int>& groups) {
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    if (groups[b] == 0) continue;
    for (const Geom& geom : scene.bodies[b].geoms) {
      if (geom.shape.kind != ShapeKind::mesh || geom.mesh.triangles.empty()) continue;
      const geometry::MeshReport report = geometry::check_mesh(geom.mesh, {.find_self_intersections = false});
      if (report.is_closed) continue;
      scene.problems.push_back("the mesh of geom " + in_quotes(geom.name) + " of body " +
                               in_quotes(scene.bodies[b].name) + " has holes (" +
                               std::to_string(report.boundary_edges) +
                               " edges of one face): it touches only with the faces that it has");
    }
  }
}

// The same sentence once, where it stood first.
void keep_once(std::vector<std::string>& sentences) {
  std::unordered_set<std::string> seen;
  std::erase_if(sentences, [&](const std::string& sentence) { return !seen.insert(sentence).second; });
}

void check_names(Scene& scene, const std::string& file) {
  std::unordered_map<std::string, int> lines;
  std::unordered_set<std::string> geom_names, joint_names;
  for (const Body& body : scene.bodies) {
    if (const auto [first, added] = lines.emplace(body.name, body.line); !added) {
      throw InputError(file, body.line,
                       "two bodies are named " + in_quotes(body.name) +
                           (first->second > 0 ? " (the first on line " + std::to_string(first->second) + ")"
                                              : std::string()) +
                           "; give each its own name");
    }
    for (const Geom& geom : body.geoms) geom_names.insert(geom.name);
  }
  for (const Joint& joint : scene.joints) {
    if (!joint_names.insert(joint.name).second) {
      throw InputError(file, 0, "two joints are named " + in_quotes(joint.name) + "; give each its own name");
    }
  }
  std::unordered_set<std::string> used;
  for (Body& body : scene.bodies) {
    for (std::size_t g = 0; g < body.geoms.size(); ++g) {
      std::string& name = body.geoms[g].name;
      if (name.empty() || used.contains(name)) {
        const std::string stem = name.empty() ? body.name + "_geom" : body.name + "_" + name;
        std::size_t number = g;
        do name = stem + std::to_string(number++);
        while (geom_names.contains(name) || used.contains(name));
      }
      used.insert(name);
    }
  }
}

}  // namespace

geometry::TriangleMesh mesh_of_shape(const Shape& shape, const SceneOptions& options) {
  const int subdivisions =
      std::clamp(static_cast<int>(std::lround(std::log2(options.round_segments / 8.0))), 1, 7);
  const Eigen::Vector3d& size = shape.size;
  switch (shape.kind) {
    case ShapeKind::box:
      return geometry::make_box(size);
    case ShapeKind::sphere:
      return geometry::make_icosphere(size.x(), subdivisions);
    case ShapeKind::ellipsoid:
      return geometry::make_ellipsoid(size, subdivisions);
    case ShapeKind::capsule:
      return geometry::make_capsule(size.x(), size.y(), options.round_segments);
    case ShapeKind::cylinder:
      return geometry::make_cylinder(size.x(), size.y(), options.round_segments);
    case ShapeKind::plane:
    case ShapeKind::mesh:
      break;
  }
  return {};
}

void check_shape(const Shape& shape, const std::string& file, int line, const std::string& geom_name) {
  int sizes = 0;
  switch (shape.kind) {
    case ShapeKind::box:
    case ShapeKind::ellipsoid:
      sizes = 3;
      break;
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
      sizes = 2;
      break;
    case ShapeKind::sphere:
      sizes = 1;
      break;
    case ShapeKind::plane:
    case ShapeKind::mesh:
      break;
  }
  for (int i = 0; i < sizes; ++i) {
    if (shape.size[i] >= kSmallestLength && shape.size[i] <= kLargestLength) continue;
    throw InputError(file, line,
                     std::string(to_string(shape.kind)) + " " + in_quotes(geom_name) + " has the size " +
                         exact_number(shape.size[i]) + " m; it must lie between " +
                         exact_number(kSmallestLength) + " m and " + exact_number(kLargestLength) +
                         " m: check the units");
  }
}

std::optional<math::SpatialInertia> inertia_of_mesh(const geometry::TriangleMesh& mesh, double density) {
  const geometry::MassProperties properties = geometry::mass_properties(mesh);
  const bool inside_out = properties.status == geometry::MassStatus::inside_out;
  if (properties.status != geometry::MassStatus::ok && !inside_out) return std::nullopt;
  const double signed_density = inside_out ? -density : density;
  return math::SpatialInertia{signed_density * properties.volume, properties.centroid,
                              signed_density * properties.inertia_unit_density};
}

void finish_scene(Scene& scene, const std::string& file, const SceneOptions& options) {
  apply_named_bodies(scene, file, options);
  apply_joint_torques(scene, file, options);
  check_names(scene, file);
  std::size_t triangles = 0;
  for (const Body& body : scene.bodies) {
    for (const Geom& geom : body.geoms) {
      if (!(std::isfinite(geom.friction) && geom.friction >= 0.0)) {
        throw InputError(file, body.line,
                         "geom " + in_quotes(geom.name) + " has the friction coefficient " +
                             exact_number(geom.friction) + "; it must be finite and at least 0");
      }
      for (const Eigen::Vector3d& vertex : geom.mesh.vertices) {
        if (vertex.cwiseAbs().maxCoeff() <= kLargestLength) continue;
        throw InputError(file, body.line,
                         "geom " + in_quotes(geom.name) + " reaches farther than " +
                             exact_number(kLargestLength) + " m; check the units");
      }
      triangles += geom.mesh.triangles.size();
    }
  }
  if (triangles > options.max_triangles) {
    throw InputError(file, 0,
                     "the scene's geoms have " + std::to_string(triangles) + " triangles; the limit is " +
                         std::to_string(options.max_triangles));
  }
  if (!options.keep_facets) take_round_meshes(scene);
  if (options.merge_welded) merge_welded(scene);
  if (options.merge_welded) root_free_joints(scene);
  for (const Body& body : scene.bodies) check_body(scene, body, file, options);
  make_plane_meshes(scene);
  const std::vector<int> groups = scene.rigid_groups();
  if (options.merge_welded && std::all_of(groups.begin(), groups.end(), [](int group) { return group == 0; }))
    scene.notes.emplace_back("no body of the scene is movable; name one with --movable");
  if (options.merge_welded) report_open_meshes(scene, groups);
  keep_once(scene.notes);
  keep_once(scene.problems);
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

std::string join_path(const std::string& folder, const std::string& reference) {
  if (reference.empty() || reference.front() == '/' || folder.empty()) return reference;
  return folder.back() == '/' ? folder + reference : folder + "/" + reference;
}

bool is_plain_file(const std::string& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

}  // namespace prehend::model
