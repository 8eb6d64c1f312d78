#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/geometry/primitives.h>
#include <prehend/math/angles.h>
#include <prehend/observation/pages.h>
#include <prehend/observation/screw_path.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;
using math::Vector6d;

constexpr double kApart = 5.0;     // [m] between grasps
constexpr double kFlatSize = 2.0;  // [m] of bodies that are flat where they touch

// Half height 1 and this curvature at the top and bottom: an ellipsoid, or a box.
geometry::TriangleMesh body_mesh(double curvature) {
  if (curvature <= 0.0) return geometry::make_box({kFlatSize, kFlatSize, 2.0});
  geometry::TriangleMesh mesh = geometry::make_icosphere(1.0, 4);
  const double radius = 1.0 / std::sqrt(curvature);
  for (Vector3d& p : mesh.vertices) p = Vector3d(radius * p.x(), radius * p.y(), p.z());
  return mesh;
}

void add_finger(report::Scene3d& scene, const NamedGrasp& grasp, double side, double at) {
  report::SceneBody finger;
  finger.name = "finger of " + grasp.name;
  const double K = grasp.finger_curvature;
  finger.mesh_B =
      K <= 0.0 ? geometry::make_box({kFlatSize, kFlatSize, 0.4}) : geometry::make_icosphere(1.0 / K, 4);
  const double height = 1.0 + (K <= 0.0 ? 0.2 : 1.0 / K);
  finger.X_WB = math::Pose::translation({at, 0, side * height});
  finger.colour = report::palette_colour(1);
  finger.opacity = 0.5;
  scene.add_body(std::move(finger));
}

// Back and forth along the path that the certificate gives; bodies whose motion is illegal stay.
void add_motion(report::Scene3d& scene, const std::vector<NamedGrasp>& named,
                const std::vector<report::BodyIndex>& bodies, const Vector6d& screw,
                const std::string& name) {
  report::Motion motion;
  motion.playback = report::Motion::Playback::loop;
  motion.name = name;
  constexpr int kFrames = 41;
  for (int k = 0; k < kFrames; ++k) motion.times.push_back(3.0 * k / (kFrames - 1));
  for (std::size_t i = 0; i < named.size(); ++i) {
    const JudgedScrew judged = SecondOrderContacts(named[i].relation).judge(screw);
    report::BodyTrack track{bodies[i], {}};
    for (int k = 0; k < kFrames; ++k) {
      const double theta = 0.3 * std::sin(2.0 * math::kPi * k / (kFrames - 1));
      const math::Pose path = judged.s3_s4_W ? screw_path(screw, *judged.s3_s4_W, theta) : math::Pose();
      track.X_WB.push_back(math::Pose::translation({kApart * static_cast<double>(i), 0, 0}) * path);
    }
    motion.tracks.push_back(std::move(track));
  }
  scene.add_motion(std::move(motion));
}

std::string verdict_of(const NamedGrasp& grasp, const Vector6d& screw) {
  return to_string(SecondOrderContacts(grasp.relation).judge(screw).verdict);
}

report::Table grasp_table(const std::vector<GraspStability>& grasps, const std::vector<NamedGrasp>& named) {
  report::Table table;
  table.caption = "Forms, ranges and mobility";
  table.columns = {{"grasp", "", 4, ""},
                   {"what", "", 4, ""},
                   {"positive", "", 4, "eigenvalues: motions that open the contacts"},
                   {"negative", "", 4, "eigenvalues: motions that are blocked"},
                   {"zero", "", 4, "eigenvalues: motions that keep both contacts"},
                   {"legal", "%", 3, "of the motions that first order leaves"},
                   {"detaching", "%", 3, "of the motions that first order leaves"},
                   {"mobility", "", 4, "Rimon and Burdick 1998, second order"},
                   {"rolling", "", 4, "turn about x"},
                   {"sliding", "", 4, "shift along x"}};
  Vector6d roll = Vector6d::Zero(), slide = Vector6d::Zero();
  roll[0] = slide[3] = 1.0;
  for (std::size_t i = 0; i < grasps.size(); ++i) {
    const DependentForm form = grasps[i].freedom.forms.empty() ? DependentForm{} : grasps[i].freedom.forms[0];
    table.rows.push_back({grasps[i].name, named[i].what, static_cast<double>(form.positive),
                          static_cast<double>(form.negative), static_cast<double>(form.zero),
                          100.0 * grasps[i].legal.share, 100.0 * grasps[i].detaching.share,
                          static_cast<double>(grasps[i].second_order_mobility.value_or(-1)),
                          verdict_of(named[i], roll), verdict_of(named[i], slide)});
  }
  return table;
}

report::Table order_table(const std::vector<GraspStability>& grasps) {
  report::Table table;
  table.caption = "Row against column, by the two rules of Takamatsu 2004";
  table.columns = {{"", "", 4, ""}};
  for (const GraspStability& grasp : grasps) table.columns.push_back({grasp.name, "", 4, ""});
  for (const GraspStability& grasp : grasps) {
    std::vector<report::Cell> row{grasp.name};
    for (const GraspStability& other : grasps) {
      std::string text = &grasp == &other ? "" : to_string(compare(grasp, other));
      std::replace(text.begin(), text.end(), '_', ' ');
      row.emplace_back(text);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

report::Page grasp_page(const std::vector<GraspStability>& grasps, const std::vector<NamedGrasp>& named) {
  report::Page page("Which grasp is the stablest?");
  page.set_subtitle("Takamatsu 2004, figure 3.5: to first order all seven are equally free");
  for (const GraspStability& grasp : grasps) {
    const bool is_best = std::all_of(grasps.begin(), grasps.end(), [&](const GraspStability& other) {
      return &other == &grasp || compare(grasp, other) == GraspOrder::stabler;
    });
    if (is_best) page.set_verdict(report::Verdict::good, "Grasp " + grasp.name + " is the stablest.");
  }
  add_grasps(page, grasps, named);
  return page;
}

void add_grasps(report::Page& page, const std::vector<GraspStability>& grasps,
                const std::vector<NamedGrasp>& named) {
  report::Scene3d scene;
  std::vector<report::BodyIndex> bodies;
  for (std::size_t i = 0; i < named.size(); ++i) {
    const double at = kApart * static_cast<double>(i);
    report::SceneBody body;
    body.name = named[i].name + ": " + named[i].what;
    body.mesh_B = body_mesh(named[i].body_curvature);
    body.X_WB = math::Pose::translation({at, 0, 0});
    body.colour = report::palette_colour(0);
    bodies.push_back(scene.add_body(std::move(body)));
    for (const double side : {1.0, -1.0}) add_finger(scene, named[i], side, at);
  }
  Vector6d roll = Vector6d::Zero(), slide = Vector6d::Zero();
  roll[0] = slide[3] = 1.0;
  add_motion(scene, named, bodies, slide, "slide along x");
  add_motion(scene, named, bodies, roll, "roll about x");
  scene.initial_motion = report::MotionIndex(0);
  scene.caption =
      "Grasps a to g from left to right. Bodies move along the second-order path that keeps them free of the "
      "fingers; where the "
      "motion is illegal the body stays.";
  page.add(std::move(scene));
  page.add(grasp_table(grasps, named));
  page.add(order_table(grasps));
}

report::Page second_order_page(const ContactRelation& relation, const SecondOrderFreedom& freedom,
                               const std::vector<Vector6d>& screws_W) {
  report::Page page = freedom_page(relation, freedom.first);
  page.add_heading("Second order");
  report::Table forms;
  forms.caption = "Contacts that depend on each other, and their quadratic forms";
  forms.columns = {{"contacts", "", 4, ""},
                   {"positive", "", 4, ""},
                   {"negative", "", 4, ""},
                   {"zero", "", 4, ""},
                   {"holds", "", 4, "all weights positive: it bounds what is legal"}};
  for (const DependentForm& form : freedom.forms) {
    std::string contacts;
    for (const DependencyTerm& term : form.terms)
      contacts += (contacts.empty() ? "" : ", ") + std::to_string(term.contact);
    forms.rows.push_back({contacts, static_cast<double>(form.positive), static_cast<double>(form.negative),
                          static_cast<double>(form.zero), std::string(form.one_sided ? "yes" : "no")});
  }
  if (!forms.rows.empty()) page.add(std::move(forms));
  page.add_text("Legal screws: a set of " + std::to_string(freedom.legal.dimension) + " dimensions, " +
                (freedom.legal.linear ? "a union of cones." : "no union of cones."));
  report::Table judged;
  judged.caption = "Screws asked about";
  judged.columns = {{"screw", "", 4, ""}, {"verdict", "", 4, ""}, {"why", "", 4, ""}};
  for (std::size_t i = 0; i < freedom.screws.size() && i < screws_W.size(); ++i)
    judged.rows.push_back({screw_text(screws_W[i]), std::string(to_string(freedom.screws[i].verdict)),
                           freedom.screws[i].reason});
  if (!judged.rows.empty()) page.add(std::move(judged));
  for (const std::string& note : freedom.notes) page.add_text(note);
  return page;
}

}  // namespace prehend::observation
