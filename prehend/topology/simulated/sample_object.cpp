#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include <prehend/geometry/primitives.h>
#include <prehend/math/angles.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/random.h>
#include <prehend/topology/evidence/floating_base.h>
#include <prehend/topology/simulated/sample_object.h>

namespace prehend::topology {
namespace {

using model::JointType;

model::Geom box_geom(const std::string& name, const math::Pose& X_BG, const Eigen::Vector3d& size) {
  model::Geom geom;
  geom.name = name;
  geom.shape = model::Shape::box(size);
  geom.X_BG = X_BG;
  geom.mesh = geometry::make_box(size);
  geom.contype = geom.conaffinity = 0;  // links touch each other through their joints alone
  return geom;
}

model::Body box_body(const std::string& name, double mass, const math::Pose& X_BG,
                     const Eigen::Vector3d& size) {
  model::Body body;
  body.name = name;
  body.inertia = math::SpatialInertia::solid_box(mass, size).expressed_in(X_BG);
  body.geoms.push_back(box_geom(name + "_box", X_BG, size));
  return body;
}

// Poses of all bodies at state zero, and a free joint under a base that floats.
void stand_up(model::Scene& scene, bool base_is_fixed) {
  for (const model::Joint& joint : scene.joints)
    scene.bodies[joint.child].X_WB = scene.bodies[joint.parent].X_WB * joint.X_PC;
  if (!base_is_fixed) float_base(scene);
}

void check_range(const math::OptionCheck& check, const std::string& name, double low, double high,
                 const char* unit) {
  check.above(name + "_min", low, 0.0, unit);
  check.at_least(name + "_max", high, low, unit);
}

}  // namespace

model::Scene source_object(JointType type, bool base_is_fixed) {
  if (type != JointType::prismatic && type != JointType::revolute) {
    throw std::invalid_argument(std::string("there are a prismatic and a revolute object, none that is ") +
                                to_string(type));
  }
  const bool slides = type == JointType::prismatic;
  model::Scene scene;
  scene.name = slides ? "prismatic_object" : "revolute_object";
  scene.format = "mjcf";
  const Eigen::Vector3d base_size(0.25, 0.12, 0.06), child_size(0.25, 0.08, 0.04);
  const math::Pose base_at = math::Pose::translation({-0.125, 0.0, 0.0});
  const math::Pose child_at = math::Pose::translation({0.125, 0.0, 0.0});
  scene.bodies.push_back(box_body("base", 4.5, base_at, base_size));
  scene.bodies[1].X_WB = math::Pose::translation({0.0, 0.0, 1.0});
  scene.bodies.push_back(box_body("moving", 2.0, child_at, child_size));
  model::Joint joint;
  joint.name = slides ? "slide" : "hinge";
  joint.type = type;
  joint.parent = model::BodyIndex(1);
  joint.child = model::BodyIndex(2);
  joint.axis_C = slides ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitZ();
  const double travel = slides ? 0.15 : 95.0 * math::kPi / 180.0;
  // Both stand half open, so that an exploration wrench can move them either way, and neither the distance of the origins nor
  // the angle between the frames passes through zero, where the states of T have a kink.
  const Eigen::Quaterniond half_open(
      Eigen::AngleAxisd(slides ? 0.0 : 0.5 * travel + 0.05, Eigen::Vector3d::UnitZ()));
  joint.X_PC = math::Pose(half_open, {0.1, 0.0, 0.0});
  joint.lower = -0.5 * travel;
  joint.upper = 0.5 * travel;
  scene.joints.push_back(joint);
  stand_up(scene, base_is_fixed);
  return scene;
}

void SampleObjectOptions::validate() const {
  const math::OptionCheck check("SampleObjectOptions");
  check.between("links", links, 2, 64);
  check.holds(!types.empty(), "types", "empty", "at least one type");
  for (const JointType type : types)
    check.holds(type == JointType::rigid || type == JointType::prismatic || type == JointType::revolute ||
                    type == JointType::screw || type == JointType::spherical,
                "types", std::string("a list with ") + to_string(type),
                "of rigid, prismatic, revolute, screw and spherical");
  check.between("chain", chain, 0.0, 1.0);
  check_range(check, "side", side_min, side_max, "m");
  check_range(check, "density", density_min, density_max, "kg/m^3");
  check_range(check, "pitch", pitch_min, pitch_max, "m/rad");
  check_range(check, "travel", travel_min, travel_max, "m");
}

model::Scene sample_object(const SampleObjectOptions& options) {
  options.validate();
  math::RandomStream random(options.seed, 0x70901061), stops(options.seed, 0x5709);
  model::Scene scene;
  scene.name = "sample_object";
  scene.format = "mjcf";
  // Frames G of the boxes first: the object is laid out box by box, then described in the links' own frames.
  std::vector<math::Pose> X_GN;
  std::vector<Eigen::Vector3d> sizes;
  for (int i = 0; i < options.links; ++i) {
    Eigen::Vector3d size;
    for (int k = 0; k < 3; ++k) size[k] = random.uniform(options.side_min, options.side_max);
    const double mass = random.uniform(options.density_min, options.density_max) * size.prod();
    model::Body body = box_body("link" + std::to_string(i), mass, math::Pose::identity(), size);
    Eigen::Vector3d spot;
    for (int k = 0; k < 3; ++k) spot[k] = random.uniform(-0.4, 0.4) * size[k];
    body.inertia = body.inertia + math::SpatialInertia::point_mass(random.uniform(0.1, 0.4) * mass, spot);
    Eigen::Vector3d away;
    for (int k = 0; k < 3; ++k) away[k] = random.uniform(-0.8, 0.8) * size[k];
    X_GN.emplace_back(random.rotation(), away);
    sizes.push_back(size);
    scene.bodies.push_back(std::move(body));
    if (i == 0) {
      scene.bodies[1].X_WB = math::Pose(random.rotation(), Eigen::Vector3d(0.0, 0.0, 1.0));
      continue;
    }
    const bool on_last = random.uniform() < options.chain;
    const int parent = on_last ? i - 1 : static_cast<int>(random.below(static_cast<std::uint32_t>(i)));
    model::Joint joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = options.types[random.below(static_cast<std::uint32_t>(options.types.size()))];
    joint.parent = model::BodyIndex(parent + 1);
    joint.child = model::BodyIndex(i + 1);
    // The boxes stand side by side along a random direction, the joint where they meet.
    const Eigen::Vector3d along = random.unit_vector();
    const Eigen::Quaterniond q_PC = random.rotation();
    const double to_parent = 0.5 * sizes[static_cast<std::size_t>(parent)].norm(),
                 to_child = 0.5 * size.norm();
    joint.X_PC = math::Pose(q_PC, (to_parent + to_child) * along);
    joint.p_CJ = -to_child * (q_PC.conjugate() * along);
    joint.axis_C = random.unit_vector();
    const double pitch = random.uniform(options.pitch_min, options.pitch_max);
    const bool is_left_handed = random.uniform() < 0.5;
    if (joint.type == JointType::screw) joint.pitch = is_left_handed ? -pitch : pitch;
    const double travel = stops.uniform(options.travel_min, options.travel_max);
    if (options.has_stops && (joint.type == JointType::prismatic || joint.type == JointType::screw)) {
      joint.upper = 0.5 * travel / (joint.type == JointType::screw ? pitch : 1.0);
      joint.lower = -joint.upper;
    }
    scene.joints.push_back(std::move(joint));
  }
  stand_up(scene, options.base_is_fixed);
  return with_frames(scene, X_GN);
}

model::Scene with_frames(const model::Scene& scene, const std::vector<math::Pose>& X_LN) {
  if (X_LN.size() + 1 != scene.bodies.size())
    throw std::invalid_argument("with_frames: " + std::to_string(X_LN.size()) + " frames for " +
                                std::to_string(scene.bodies.size() - 1) + " links");
  const auto frame = [&](model::BodyIndex body) {
    return body == scene.world() ? math::Pose::identity() : X_LN[static_cast<std::size_t>(body.value()) - 1];
  };
  model::Scene moved = scene;
  for (model::BodyIndex b(1); b < moved.bodies.size(); ++b) {
    model::Body& body = moved.bodies[b];
    const math::Pose X_NL = frame(b).inverse();
    body.X_WB = body.X_WB * frame(b);
    body.inertia = body.inertia.expressed_in(X_NL);
    for (model::Geom& geom : body.geoms) geom.X_BG = X_NL * geom.X_BG;
  }
  for (model::Joint& joint : moved.joints) {
    const math::Pose X_NL = frame(joint.child).inverse();
    joint.X_PC = frame(joint.parent).inverse() * joint.X_PC * frame(joint.child);
    joint.p_CJ = X_NL * joint.p_CJ;
    joint.axis_C = X_NL.q() * joint.axis_C;
    joint.axis2_C = X_NL.q() * joint.axis2_C;
  }
  return moved;
}

}  // namespace prehend::topology
