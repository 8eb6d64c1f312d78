#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/QR>

#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/number_text.h>
#include <prehend/stability/critical_friction.h>
#include <prehend/stability/drawing/mechanism_view.h>
#include <prehend/stability/statics/body_surface.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using math::Vector6d;

// One way of a motion that is played: frames, duration [s], and how far the fastest point goes, of half the system's size.
constexpr int kFrames = 24;
constexpr double kSeconds = 1.2;
constexpr double kReach = 0.5;

// For drawing alone. Contacts slower than this part of the fastest stay put; slower apart than this part of their speed, they slide.
constexpr double kStays = 0.01, kSlides = 0.05;
// A contact that carries this part of the strongest force does not open.
constexpr double kCarries = 2e-3;

bool slides(const SystemContact& contact, const Vector3d& v, double fastest) {
  const double normal = v.dot(contact.n_W());
  const double tangential = (v - normal * contact.n_W()).norm();
  return v.norm() > kStays * fastest && normal - contact.mu * tangential < kSlides * v.norm();
}

double fastest_point(const ContactSystem& system, const std::vector<Vector6d>& motion) {
  double fastest = 0.0;
  const auto look = [&](NodeIndex node, const Vector3d& p_W) {
    if (!node.is_valid()) return;
    const Vector6d& V = motion[node];
    fastest = std::max(fastest, (V.tail<3>() + V.head<3>().cross(p_W - system.origin_W)).norm());
  };
  for (const SystemContact& contact : system.contacts) {
    look(contact.a, contact.p_W);
    look(contact.b, contact.p_W);
  }
  for (std::size_t i = 0; i < system.bodies.size(); ++i) look(NodeIndex(i), system.bodies[i].com_W);
  return fastest;
}

}  // namespace

std::vector<Vector6d> without_dilation(const ContactSystem& system, const std::vector<Vector6d>& motion,
                                       const std::vector<Vector3d>& forces_W) {
  double fastest = 0.0;
  for (ContactIndex k(0); k < system.contacts.size(); ++k) {
    fastest = std::max(fastest, system.relative_velocity(k, motion).norm());
  }
  double strongest = 0.0;
  for (const Vector3d& f : forces_W) strongest = std::max(strongest, f.norm());
  std::vector<ContactIndex> sliding;
  for (ContactIndex k(0); k < system.contacts.size(); ++k) {
    const bool carries = !forces_W.empty() && forces_W[k].norm() > kCarries * strongest;
    if (carries || slides(system.contacts[k], system.relative_velocity(k, motion), fastest))
      sliding.push_back(k);
  }
  if (sliding.empty()) return motion;
  // Rotations in units of the system's size, so that turning and moving weigh alike.
  Eigen::VectorXd z(system.unknowns());
  for (std::size_t i = 0; i < motion.size(); ++i) {
    z.segment<6>(6 * static_cast<long>(i)) << motion[i].head<3>() * system.length, motion[i].tail<3>();
  }
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(static_cast<long>(sliding.size()), z.size());
  for (std::size_t r = 0; r < sliding.size(); ++r) {
    const SystemContact& contact = system.contacts[sliding[r]];
    const Vector3d n = contact.n_W();
    Vector6d row;
    row << (contact.p_W - system.origin_W).cross(n) / system.length, n;
    if (contact.b.is_valid())
      rows.row(static_cast<long>(r)).segment<6>(6 * contact.b.value()) += row.transpose();
    if (contact.a.is_valid())
      rows.row(static_cast<long>(r)).segment<6>(6 * contact.a.value()) -= row.transpose();
  }
  const Eigen::VectorXd flat = z - math::minimum_norm_solution(rows, rows * z, 1e-9);
  if (!flat.allFinite() || flat.norm() < 0.3 * z.norm()) return motion;
  std::vector<Vector6d> result(motion.size());
  for (std::size_t i = 0; i < motion.size(); ++i) {
    const Vector6d part = flat.segment<6>(6 * static_cast<long>(i));
    result[i] << part.head<3>() / system.length, part.tail<3>();
  }
  return result;
}

report::Motion mechanism_motion(const model::Scene& scene, const ContactSystem& system,
                                const report::SceneView& view, const Mechanism& mechanism) {
  report::Motion shown;
  shown.playback = report::Motion::Playback::back_and_forth;
  for (int frame = 0; frame < kFrames; ++frame) shown.times.push_back(kSeconds * frame / (kFrames - 1));
  const std::vector<Vector6d> flat = without_dilation(system, mechanism.motion, mechanism.forces_W);
  const double fastest = fastest_point(system, flat);
  // A small body of a large scene must not fly out of sight.
  double size = 0.0;
  for (const model::BodyIndex body : mechanism.moving) {
    size = std::max(size, geometry::bounding_box(body_surface(scene.bodies[body]).vertices).diagonal());
  }
  const double reach =
      fastest > 0.0 ? kReach * std::min(system.length, size > 0.0 ? size : system.length) / fastest : 0.0;
  const math::Pose X_WO = math::Pose::translation(system.origin_W);
  for (const model::BodyIndex body : mechanism.moving) {
    const NodeIndex node = system.node_of_body[body];
    if (!node.is_valid() || !view.bodies[body].is_valid()) continue;
    report::BodyTrack track{view.bodies[body], {}};
    for (const double t : shown.times) {
      const double x = t / kSeconds, ease = x * x * (3.0 - 2.0 * x);
      track.X_WB.push_back(X_WO * math::exp_se3(ease * reach * flat[node]) * X_WO.inverse() *
                           scene.bodies[body].X_WB);
    }
    shown.tracks.push_back(std::move(track));
  }
  return shown;
}

std::vector<report::Arrow> force_arrows(const model::Scene& scene, const ContactSystem& system,
                                        const std::vector<Vector3d>& forces_W) {
  std::vector<report::Arrow> arrows;
  double largest = 0.0;
  for (const Vector3d& f : forces_W) largest = std::max(largest, f.norm());
  for (std::size_t k = 0; k < forces_W.size(); ++k) {
    const Vector3d& f = forces_W[k];
    if (!(f.norm() > 1e-6 * largest)) continue;
    const SystemContact& contact = system.contacts[k];
    const SystemInterface& interface = system.interfaces[contact.interface];
    const double normal = f.dot(contact.n_W());
    const double tangential = (f - normal * contact.n_W()).norm();
    std::string hover = scene.bodies[interface.body_a].name + " on " + scene.bodies[interface.body_b].name;
    if (contact.mu > 0.0 && normal > 0.0) {
      hover +=
          ", uses " + math::number_text(100.0 * tangential / (contact.mu * normal), 3) + " % of its friction";
    }
    arrows.push_back({contact.p_W, f, hover});
  }
  return arrows;
}

std::vector<InterfaceForce> interface_forces(const ContactSystem& system,
                                             const std::vector<Vector3d>& forces_W) {
  std::vector<InterfaceForce> all;
  for (InterfaceIndex i(0); i < system.interfaces.size(); ++i) {
    const SystemInterface& interface = system.interfaces[i];
    InterfaceForce sum;
    sum.interface = i;
    double pressing = 0.0;
    Vector3d middle = Vector3d::Zero();
    const auto first = static_cast<std::size_t>(interface.first),
               end = first + static_cast<std::size_t>(interface.count);
    for (std::size_t k = first; k < end && k < forces_W.size(); ++k) {
      const SystemContact& contact = system.contacts[k];
      const double normal = std::max(0.0, forces_W[k].dot(contact.n_W()));
      sum.f_W += forces_W[k];
      sum.p_W += normal * contact.p_W;
      middle += contact.p_W / interface.count;
      pressing += normal;
    }
    sum.p_W = pressing > 0.0 ? Vector3d(sum.p_W / pressing) : middle;
    for (std::size_t k = first; k < end && k < forces_W.size(); ++k)
      sum.m_W += (system.contacts[k].p_W - sum.p_W).cross(forces_W[k]);
    sum.normal = sum.f_W.dot(interface.n_W);
    sum.tangential = (sum.f_W - sum.normal * interface.n_W).norm();
    all.push_back(sum);
  }
  return all;
}

namespace {

// More arrows than this hide what they stand on; a stack of five boxes on corners has 20.
constexpr std::size_t kManyArrows = 24;

std::vector<report::Arrow> interface_arrows(const model::Scene& scene, const ContactSystem& system,
                                            const std::vector<Vector3d>& forces_W) {
  const std::vector<InterfaceForce> forces = interface_forces(system, forces_W);
  double largest = 0.0;
  for (const InterfaceForce& force : forces) largest = std::max(largest, force.f_W.norm());
  std::vector<report::Arrow> arrows;
  for (const InterfaceForce& force : forces) {
    if (!(force.f_W.norm() > 1e-6 * largest)) continue;
    const SystemInterface& interface = system.interfaces[force.interface];
    std::string hover = scene.bodies[interface.body_a].name + " on " + scene.bodies[interface.body_b].name;
    if (interface.count > 1) hover += ", sum over " + std::to_string(interface.count) + " points";
    // A torque that would move the force by less than a thousandth of the system's size is not worth a word.
    if (force.m_W.norm() > 1e-3 * system.length * force.f_W.norm())
      hover += ", and a torque of " + math::number_text(force.m_W.norm(), 3) + " N·m";
    arrows.push_back({force.p_W, force.f_W, hover});
  }
  return arrows;
}

// [m per N] The longest arrow is a quarter of the system, and no longer than a body: longer ones of a wall or a vault
// would cover their neighbours.
double interface_arrow_scale(const model::Scene& scene, const ContactSystem& system,
                             const std::vector<Vector3d>& forces_W) {
  std::vector<double> sizes;
  for (const SystemBody& body : system.bodies)
    sizes.push_back(geometry::bounding_box(body_surface(scene.bodies[body.body]).vertices).diagonal());
  double longest = 0.5 * system.length;
  if (!sizes.empty()) {
    std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2),
                     sizes.end());
    if (sizes[sizes.size() / 2] > 0.0) longest = std::min(longest, sizes[sizes.size() / 2]);
  }
  double largest = 0.0;
  for (const InterfaceForce& force : interface_forces(system, forces_W))
    largest = std::max(largest, force.f_W.norm());
  return largest > 0.0 ? longest / largest : 0.0;
}

}  // namespace

ForceLayers add_force_layers(const model::Scene& scene, const ContactSystem& system,
                             const std::vector<Vector3d>& forces_W, report::SceneView& view) {
  report::ArrowLayer interfaces, points;
  interfaces.name = "contact forces";
  interfaces.arrows = interface_arrows(scene, system, forces_W);
  interfaces.scale = interface_arrow_scale(scene, system, forces_W);
  points.name = "single forces";
  points.arrows = force_arrows(scene, system, forces_W);
  points.scale = arrow_scale(system, forces_W);
  points.colour = report::colour_from_hex(0xb8741a);
  interfaces.visible = points.arrows.size() > kManyArrows;
  points.visible = !interfaces.visible;
  view.scene.arrows.push_back(std::move(interfaces));
  view.scene.arrows.push_back(std::move(points));
  return {view.scene.arrows.size() - 2, view.scene.arrows.size() - 1};
}

void add_force_tracks(const model::Scene& scene, const ContactSystem& system,
                      const std::vector<Vector3d>& forces_W, const ForceLayers& layers,
                      report::Motion& motion) {
  motion.arrow_tracks.push_back({layers.interfaces, {interface_arrows(scene, system, forces_W)}});
  motion.arrow_tracks.push_back({layers.points, {force_arrows(scene, system, forces_W)}});
}

void mark_falling(const model::Scene& scene, const report::Motion& motion,
                  std::span<const model::BodyIndex> moving, report::SceneView& view) {
  report::ArrowLayer way;
  way.name = "begins to fall";
  way.unit = "";
  way.scale = 1.0;
  way.colour = report::colour_from_hex(0x8c1d10);
  for (report::SceneBody& body : view.scene.bodies) {
    if (body.backdrop) continue;
    const double pale = 0.7;
    body.colour = {body.colour.red + pale * (0.82 - body.colour.red),
                   body.colour.green + pale * (0.84 - body.colour.green),
                   body.colour.blue + pale * (0.86 - body.colour.blue)};
  }
  for (const model::BodyIndex index : moving) {
    if (!view.bodies[index].is_valid()) continue;
    report::SceneBody& body = view.scene.bodies[view.bodies[index]];
    body.colour = report::colour_from_hex(0xe2593f);
    body.hover = "falls";
    for (const report::BodyTrack& track : motion.tracks) {
      if (track.body != view.bodies[index] || track.X_WB.empty()) continue;
      report::Arrow longest{scene.bodies[index].X_WB.p(), Vector3d::Zero(), "'" + body.name + "' falls"};
      for (const Vector3d& v : body.mesh_B.vertices) {
        const Vector3d from = track.X_WB.front() * v, way_W = track.X_WB.back() * v - from;
        if (way_W.norm() > (1.0 + 1e-9) * longest.vector.norm()) {
          longest.point = from;
          longest.vector = way_W;
        }
      }
      way.arrows.push_back(longest);
    }
  }
  view.scene.arrows.push_back(std::move(way));
}

std::string friction_advice(const ContactSystem& system) {
  // Some 20 resting problems; one of 1000 contacts takes about 0.1 s.
  constexpr std::size_t kMostContacts = 2000;
  if (!system.penetrations.empty() || !system.floating.empty() || system.contacts.size() > kMostContacts)
    return "";
  CriticalFrictionOptions options;
  options.accuracy = 0.005;
  const CriticalFriction critical = critical_friction(system, options);
  if (critical.status == CriticalFrictionStatus::never_holds) return " More friction would not help.";
  if (critical.status != CriticalFrictionStatus::ok || !(critical.above > 1.0)) return "";
  std::string text = " With " + math::number_text(critical.above, 3) + " times the friction it would stand";
  if (std::isfinite(critical.coefficient_above))
    text += " (" + math::number_text(critical.coefficient_above, 3) + " instead of " +
            math::number_text(critical.coefficient_above / critical.above, 3) + ")";
  return text + ".";
}

double arrow_scale(const ContactSystem& system, const std::vector<Vector3d>& forces_W) {
  double largest = 0.5 * system.weight;
  for (const Vector3d& f : forces_W) largest = std::max(largest, f.norm());
  return system.length / 2.0 / largest;
}

std::string short_list(const model::Scene& scene, std::span<const model::BodyIndex> bodies) {
  constexpr std::size_t kMost = 4, kLongest = 40;  // names, and characters of one
  const auto shortened = [](const std::string& name) {
    if (name.size() <= kLongest) return name;
    std::size_t cut = kLongest - 3;
    while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xc0) == 0x80)
      --cut;  // not within a character
    return name.substr(0, cut) + "...";
  };
  std::string text;
  const std::size_t shown = bodies.size() > kMost + 1 ? kMost : bodies.size();
  for (std::size_t i = 0; i < shown; ++i) {
    text += i == 0 ? "" : i + 1 == bodies.size() ? " and " : ", ";
    text += "'" + shortened(scene.bodies[bodies[i]].name) + "'";
  }
  if (shown < bodies.size()) text += " and " + std::to_string(bodies.size() - shown) + " more";
  return text;
}

}  // namespace prehend::stability
