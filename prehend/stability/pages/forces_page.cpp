#include <algorithm>
#include <cmath>

#include <prehend/model/text_table.h>
#include <prehend/stability/drawing/mechanism_view.h>
#include <prehend/stability/pages.h>

namespace prehend::stability {
namespace {

void set_forces_verdict(const model::Scene& scene, const ContactSystem& system,
                        const ContactForcesResult& result, report::Page& page) {
  if (system.bodies.empty() && result.status != ContactForcesStatus::not_computed) {
    page.set_verdict(report::Verdict::note, "Nothing in this scene may move.");
    return;
  }
  switch (result.status) {
    case ContactForcesStatus::stable:
      page.set_verdict(result.needs_prestress ? report::Verdict::note : report::Verdict::good,
                       result.needs_prestress
                           ? "It stands only if something has squeezed it before: its weights alone do not "
                             "cause the forces that hold it."
                           : "It stands.");
      return;
    case ContactForcesStatus::unstable:
      page.set_verdict(report::Verdict::bad, "It falls by itself: " + short_list(scene, result.moving) + "." +
                                                 friction_advice(system));
      return;
    case ContactForcesStatus::not_computed:
    case ContactForcesStatus::undetermined:
      page.set_verdict(report::Verdict::bad, "No answer: " + result.note + ".");
  }
}

// What is left of zero after rounding reads as zero.
double rounded(double value, double scale) { return std::abs(value) < 1e-7 * scale ? 0.0 : value; }

// [%] None where the contact carries nothing.
double friction_used(double tangential, double limit, double weight) {
  return rounded(limit, weight) > 0.0 ? 100.0 * tangential / limit : 0.0;
}

report::Table force_table(const model::Scene& scene, const ContactSystem& system,
                          const ContactForcesResult& result, const report::SceneView& view) {
  report::Table table;
  table.caption = "Forces at single points";
  table.columns = {
      {"body a", "", 4, ""},      {"body b", "", 4, "the force acts on it"},
      {"x", "m", 4, ""},          {"y", "m", 4, ""},
      {"z", "m", 4, ""},          {"normal", "N", 4, ""},
      {"tangential", "N", 4, ""}, {"friction used", "%", 3, "tangential force over friction limit"}};
  for (const ContactForce& c : result.contacts) {
    const double normal = c.f_W.dot(c.n_W), tangential = (c.f_W - normal * c.n_W).norm();
    const double used = friction_used(tangential, c.mu * normal, system.weight);
    table.rows.push_back({scene.bodies[c.body_a].name, scene.bodies[c.body_b].name,
                          rounded(c.p_W.x(), system.length), rounded(c.p_W.y(), system.length),
                          rounded(c.p_W.z(), system.length), rounded(normal, system.weight),
                          rounded(tangential, system.weight), rounded(used, 100.0)});
    report::RowLink link;
    if (view.bodies[c.body_b].is_valid()) link.body = view.bodies[c.body_b];
    table.links.push_back(link);
  }
  return table;
}

report::Table interface_table(const model::Scene& scene, const ContactSystem& system,
                              const std::vector<Eigen::Vector3d>& forces_W, const report::SceneView& view) {
  report::Table table;
  table.caption = "One force per interface";
  table.columns = {{"body a", "", 4, ""},
                   {"body b", "", 4, "the force acts on it"},
                   {"normal", "N", 4, ""},
                   {"tangential", "N", 4, ""},
                   {"friction used", "%", 3, "tangential force over friction limit"},
                   {"torque", "N·m", 3, "about the centre of pressure"},
                   {"points", "", 4, ""}};
  for (const InterfaceForce& force : interface_forces(system, forces_W)) {
    const SystemInterface& interface = system.interfaces[force.interface];
    const double used = friction_used(force.tangential, interface.mu * force.normal, system.weight);
    table.rows.push_back({scene.bodies[interface.body_a].name, scene.bodies[interface.body_b].name,
                          rounded(force.normal, system.weight), rounded(force.tangential, system.weight),
                          rounded(used, 100.0), rounded(force.m_W.norm(), system.weight * system.length),
                          static_cast<double>(interface.count)});
    report::RowLink link;
    if (view.bodies[interface.body_b].is_valid()) link.body = view.bodies[interface.body_b];
    table.links.push_back(link);
  }
  return table;
}

}  // namespace

report::Page forces_page(const model::Scene& scene, const ContactSystem& system,
                         const ContactForcesResult& result) {
  report::Page page("Which forces do the contacts carry?");
  page.set_subtitle(scene.name);
  set_forces_verdict(scene, system, result, page);
  const std::string problems = model::problem_lines(result.problems, "- ");
  if (!problems.empty()) page.add_text(problems);
  report::SceneView view = report::view_scene(scene);
  if (result.status == ContactForcesStatus::unstable && !result.falling.empty()) {
    report::Motion motion = mechanism_motion(scene, system, view, {result.falling, {}, result.moving});
    motion.name = "how it begins to fall";
    mark_falling(scene, motion, result.moving, view);
    view.scene.caption = "What falls is red; the arrow shows where it goes. Play to see it begin.";
    view.scene.initial_motion = view.scene.add_motion(std::move(motion));
    page.add(std::move(view.scene));
    return page;
  }
  std::vector<Eigen::Vector3d> forces_W;
  for (const ContactForce& c : result.contacts) forces_W.push_back(c.f_W);
  if (system.bodies.empty()) {
    page.add(std::move(view.scene));
    return page;
  }
  const ForceLayers layers = add_force_layers(scene, system, forces_W, view);
  const bool is_summed = view.scene.arrows[layers.interfaces].visible;
  // Arrows start inside the bodies.
  for (report::SceneBody& body : view.scene.bodies) body.opacity = body.backdrop ? 1.0 : 0.45;
  report::Table table = force_table(scene, system, result, view);
  view.scene.caption = is_summed ? "Each arrow is the sum of the forces of one interface, on the body that "
                                   "its normal points to. The forces at "
                                   "single points are a layer of their own."
                                 : "Each arrow is the force on the body that the contact's normal points to.";
  report::Table sums = interface_table(scene, system, forces_W, view);
  sums.scene = table.scene = page.add(std::move(view.scene));
  if (result.status != ContactForcesStatus::stable && std::isnan(result.equilibrium_residual)) return page;
  if (is_summed) page.add(std::move(sums));
  page.add(std::move(table));
  report::Facts facts;
  facts.caption = "How far to trust it";
  facts.facts = {
      {"method", to_string(result.method), "", ""},
      report::number_fact("unbalanced, of all weights", result.equilibrium_residual, "", 2),
      report::number_fact("outside the friction cones, of all weights", result.cone_violation, "", 2),
      {"holds without prestress", result.needs_prestress ? "no" : "yes", "",
       "the weights cause forces that hold"}};
  page.add(std::move(facts), report::Width::half);
  return page;
}

}  // namespace prehend::stability
