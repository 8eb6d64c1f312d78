#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/QR>

#include <prehend/math/number_text.h>
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
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  solver.setThreshold(1e-9);
  solver.compute(rows);
  const Eigen::VectorXd flat = z - solver.solve(rows * z);
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

double arrow_scale(const ContactSystem& system, const std::vector<Vector3d>& forces_W) {
  double largest = 0.5 * system.weight;
  for (const Vector3d& f : forces_W) largest = std::max(largest, f.norm());
  return system.length / 2.0 / largest;
}

std::string short_list(const model::Scene& scene, std::span<const model::BodyIndex> bodies) {
  constexpr std::size_t kMost = 4;
  std::string text;
  const std::size_t shown = bodies.size() > kMost + 1 ? kMost : bodies.size();
  for (std::size_t i = 0; i < shown; ++i) {
    text += i == 0 ? "" : i + 1 == bodies.size() ? " and " : ", ";
    text += "'" + scene.bodies[bodies[i]].name + "'";
  }
  if (shown < bodies.size()) text += " and " + std::to_string(bodies.size() - shown) + " more";
  return text;
}

}  // namespace prehend::stability
