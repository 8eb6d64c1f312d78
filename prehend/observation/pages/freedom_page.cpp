#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/geometry/primitives.h>
#include <prehend/math/angles.h>
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>
#include <prehend/observation/cones/contact_planes.h>
#include <prehend/observation/pages.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;

void append(geometry::TriangleMesh& mesh, const geometry::TriangleMesh& other, const math::Pose& X) {
  const int first = static_cast<int>(mesh.vertices.size());
  for (const Vector3d& p : other.vertices) mesh.vertices.push_back(X * p);
  for (const Eigen::Vector3i& t : other.triangles)
    mesh.triangles.push_back(t + Eigen::Vector3i::Constant(first));
}

math::Pose along_z(const Vector3d& direction, const Vector3d& p) {
  return {math::rotation_between(Vector3d::UnitZ(), direction), p};
}

// Points of contact, joined in a place off the planes: what moves, as far as it is known.
geometry::TriangleMesh moving_body(const ContactRelation& relation, const ContactPlanes& planes) {
  Vector3d away = Vector3d::Zero();
  for (const Contact& contact : relation.contacts) {
    for (const Vector3d& n : contact.normals_W)
      away += n.normalized() / static_cast<double>(contact.normals_W.size());
  }
  if (away.norm() < 0.1) away.setZero();
  const Vector3d hub = planes.centre_W + 0.6 * planes.length * (away.isZero(0.0) ? away : away.normalized());
  geometry::TriangleMesh mesh;
  append(mesh, geometry::make_icosphere(0.08 * planes.length, 2), math::Pose::translation(hub));
  for (const Contact& contact : relation.contacts) {
    for (const Vector3d& p : contact.points_W) {
      append(mesh, geometry::make_icosphere(0.05 * planes.length, 2), math::Pose::translation(p));
      const Vector3d rod = hub - p;
      if (rod.norm() < 0.1 * planes.length) continue;
      append(mesh, geometry::make_cylinder(0.02 * planes.length, rod.norm(), 12),
             along_z(rod, 0.5 * (hub + p)));
    }
  }
  return mesh;
}

void add_planes(const ContactRelation& relation, const ContactPlanes& planes, report::Scene3d& scene) {
  report::ArrowLayer normals;
  normals.name = "normals out of the fixed body";
  normals.unit = "";
  normals.colour = report::colour_from_hex(report::kContactGold);
  normals.scale = 0.4 * planes.length;
  for (std::size_t i = 0; i < relation.contacts.size(); ++i) {
    const Contact& contact = relation.contacts[i];
    Vector3d middle = Vector3d::Zero();
    for (const Vector3d& p : contact.points_W) middle += p / static_cast<double>(contact.points_W.size());
    double reach = 0.0;
    for (const Vector3d& p : contact.points_W) reach = std::max(reach, (p - middle).norm());
    const double side = 2.0 * (reach + 0.25 * planes.length), thickness = 0.02 * planes.length;
    for (const Vector3d& normal : contact.normals_W) {
      const Vector3d n = normal.normalized();
      report::SceneBody plate;
      plate.name = "contact " + std::to_string(i) + (contact.type.empty() ? "" : ", " + contact.type);
      plate.hover =
          contact.is_singular() ? "one of several planes, of which one suffices" : "separating plane";
      plate.mesh_B = geometry::make_box({side, side, thickness});
      plate.X_WB = along_z(n, middle - (0.05 * planes.length + 0.5 * thickness) * n);
      plate.colour = report::palette_colour(i);
      plate.opacity = contact.is_singular() ? 0.35 : 0.7;
      scene.add_body(std::move(plate));
      for (const Vector3d& p : contact.points_W) normals.arrows.push_back({p, n, plate.name});
    }
  }
  if (!normals.arrows.empty()) scene.arrows.push_back(std::move(normals));
}

// Back and forth, or away and back, so far that the eye sees it: a third of the contacts' size.
report::Motion motion_of(const math::Vector6d& screw_W, const ContactPlanes& planes, report::BodyIndex body,
                         bool both_ways, const std::string& name) {
  const math::Vector6d scaled = planes.scaled(screw_W);
  const double step = 0.35 * planes.length / scaled.norm();
  report::Motion motion;
  motion.name = name;
  motion.playback = both_ways ? report::Motion::Playback::loop : report::Motion::Playback::back_and_forth;
  report::BodyTrack track{body, {}};
  constexpr int kFrames = 41;
  for (int k = 0; k < kFrames; ++k) {
    const double share = static_cast<double>(k) / (kFrames - 1);
    motion.times.push_back((both_ways ? 3.0 : 1.5) * share);
    track.X_WB.push_back(
        math::exp_se3((both_ways ? std::sin(2.0 * math::kPi * share) : share) * step * screw_W));
  }
  motion.tracks.push_back(std::move(track));
  return motion;
}

report::Table freedom_table(const MotionFreedom& freedom) {
  report::Table table;
  table.caption = "Freedoms";
  table.columns = {{"", "", 4, ""},
                   {"maintaining", "", 4, "keep every contact"},
                   {"detaching", "", 4, "possible, but a contact opens"},
                   {"constraining", "", 4, "impossible"},
                   {"restricted", "", 4, "cannot keep every contact, singular ones included"}};
  const auto add = [&](const char* name, const Freedoms& count) {
    table.rows.push_back({std::string(name), static_cast<double>(count.maintaining),
                          static_cast<double>(count.detaching), static_cast<double>(count.constraining),
                          static_cast<double>(count.restricted)});
  };
  add("translation", freedom.translation);
  add("rotation", freedom.rotation);
  add("all motion", freedom.all);
  return table;
}

}  // namespace

report::Page freedom_page(const ContactRelation& relation, const MotionFreedom& freedom) {
  report::Page page("How may it move?");
  const int kept = static_cast<int>(freedom.maintaining_W.size());
  page.set_verdict(report::Verdict::good,
                   relation.contacts.empty() ? "Nothing touches: it moves freely."
                   : kept == 0               ? "No motion keeps every contact."
                               : std::to_string(kept) + (kept == 1 ? " freedom keeps" : " freedoms keep") +
                                     " every contact.");
  if (freedom.singular)
    page.add_text(
        "The relation is singular: at some points several planes separate the bodies, and one of them "
        "suffices. Maintaining, detaching and "
        "constraining leave those contacts out; the legal motions are a union of cones.");
  if (!freedom.note.empty()) page.add_text(freedom.note);
  page.add(freedom_table(freedom));
  if (relation.contacts.empty()) return page;
  const ContactPlanes planes(relation);
  report::Scene3d scene;
  report::SceneBody body;
  body.name = "what moves";
  body.mesh_B = moving_body(relation, planes);
  body.colour = report::palette_colour(relation.contacts.size());
  const report::BodyIndex moving = scene.add_body(std::move(body));
  add_planes(relation, planes, scene);
  report::Table motions;
  motions.caption = "Motions: choose one to see it";
  motions.columns = {{"motion", "", 4, ""}, {"what it does", "", 4, ""}};
  const auto add = [&](const math::Vector6d& screw, bool both_ways, const std::string& what) {
    const std::string name = screw_text(screw);
    report::RowLink link;
    link.motion = scene.add_motion(motion_of(screw, planes, moving, both_ways, name));
    motions.rows.push_back({name, what});
    motions.links.push_back(link);
  };
  for (const math::Vector6d& screw : freedom.maintaining_W) add(screw, true, "keeps every contact");
  constexpr std::size_t kMostRays = 40;
  for (std::size_t c = 0; c < freedom.legal.size(); ++c) {
    const std::string cone = freedom.legal.size() > 1 ? " (cone " + std::to_string(c + 1) + ")" : "";
    for (const math::Vector6d& screw : freedom.legal[c].rays_W)
      if (motions.rows.size() < kMostRays) add(screw, false, "opens a contact" + cone);
  }
  scene.caption = "Plates are the planes that separate the bodies; choose a motion below to play it.";
  if (!scene.motions.empty()) scene.initial_motion = report::MotionIndex(0);
  motions.scene = page.add(std::move(scene));
  if (!motions.rows.empty()) page.add(std::move(motions));
  return page;
}

}  // namespace prehend::observation
