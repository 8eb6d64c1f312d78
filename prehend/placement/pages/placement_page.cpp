#include <cmath>
#include <cstdio>

#include <prehend/model/body_names.h>
#include <prehend/model/text_table.h>
#include <prehend/placement/pages.h>
#include <prehend/placement/search/load_polygon.h>
#include <prehend/placement/search/support_plane.h>
#include <prehend/report/scene_view.h>
#include <prehend/stability/pages.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;

constexpr double kGhost = 0.25;  // opacity
constexpr unsigned kLoadGreen = 0x3aa76d;

std::string number(double value, const char* form = "%.4g") {
  char text[32];
  std::snprintf(text, sizeof text, form, value);
  return std::isinf(value) ? "unbounded" : text;
}

void add_ghosts(const model::Scene& scene, model::BodyIndex object, const PlacementResult& result,
                report::SceneView& view) {
  const report::SceneBody drawn = view.scene.bodies[view.bodies[object]];
  for (std::size_t k = 1; k < result.placements.size(); ++k) {
    report::SceneBody ghost = drawn;
    ghost.name = scene.bodies[object].name + ", alternative " + std::to_string(k + 1);
    ghost.X_WB = result.placements[k].X_WO;
    ghost.opacity = kGhost;
    ghost.properties = {report::number_fact("min SR", result.placements[k].min_sr, "N"),
                        report::number_fact("margin", result.placements[k].margin_g, "g")};
    view.scene.add_body(std::move(ghost));
  }
}

void add_patches(const Placement& placement, const std::vector<std::string>& names, report::Scene3d& scene) {
  report::PointLayer points;
  points.name = "contact points";
  for (const PlacedContact& contact : placement.contacts) {
    for (const auto& loop : contact.loops_W) {
      report::Polyline line;
      line.name = "support patches";
      line.points = loop;
      line.closed = true;
      line.hover = "on " + model::name_of(names, contact.body);
      line.colour = report::colour_from_hex(report::kContactGold);
      line.width_px = 3.0;
      scene.lines.push_back(std::move(line));
    }
    points.points.insert(points.points.end(), contact.points_W.begin(), contact.points_W.end());
  }
  scene.points.push_back(std::move(points));
}

// Where the movable bodies that it stands on could bear it.
void add_load_polygons(const Problem& problem, const Placement& placement, report::Scene3d& scene) {
  const LoadPolygons loads(problem);
  const std::vector<SupportPlane> planes = face_planes(problem);
  for (const PlacedContact& contact : placement.contacts) {
    if (!problem.is_movable(contact.body) || contact.points_W.empty()) continue;
    for (const SupportPlane& plane : planes) {
      if (plane.n.dot(contact.n_W) < 1.0 - 1e-6 ||
          std::abs(plane.n.dot(contact.points_W.front()) - plane.d) > 1e-5)
        continue;
      report::Polyline line;
      line.name = "load polygon";
      line.hover =
          "the object's weight may stand anywhere inside: " + problem.scene.bodies[contact.body].name;
      for (const Eigen::Vector2d& corner : loads.of(contact.body, plane))
        line.points.push_back(plane.lifted(corner));
      line.closed = true;
      line.colour = report::colour_from_hex(kLoadGreen);
      line.width_px = 3.0;
      if (line.points.size() >= 3) scene.lines.push_back(std::move(line));
    }
  }
}

report::Table placement_table(const PlacementResult& result) {
  report::Table table;
  table.caption = "Placements, best first";
  table.columns = {{"x", "m", 4, ""},
                   {"y", "m", 4, ""},
                   {"z", "m", 4, ""},
                   {"min SR", "N", 4, "least push along an inward normal that moves something"},
                   {"margin", "g", 3, "least horizontal acceleration that moves something"},
                   {"at the centre", "N", 4, "least force at a centre of mass along an axis"},
                   {"touches", "", 4, ""}};
  for (const Placement& p : result.placements) {
    std::string touches;
    for (const PlacedContact& contact : p.contacts) {
      const std::string name = model::name_of(result.body_names, contact.body);
      if (touches.find(name) == std::string::npos) touches += (touches.empty() ? "" : ", ") + name;
    }
    table.rows.push_back(
        {p.X_WO.p().x(), p.X_WO.p().y(), p.X_WO.p().z(), p.min_sr, p.margin_g, p.robustness, touches});
  }
  return table;
}

report::Table rejection_table(const PlacementResult& result) {
  report::Table table;
  table.caption = "Poses that were verified and refused";
  table.columns = {{"reason", "", 4, ""}, {"poses", "", 6, ""}};
  for (const auto& [reason, count] : result.rejected)
    table.rows.push_back({reason, static_cast<double>(count)});
  return table;
}

// Less than the least push has only what contacts cover wholly, which nobody sees or pushes: the scale of colours begins where the verdict does.
void begin_scales_at(double min_sr, report::Scene3d& scene) {
  if (!std::isfinite(min_sr)) return;
  for (report::SceneBody& body : scene.bodies) {
    for (report::ScalarMap& map : body.maps) {
      if (map.lower && *map.lower < min_sr && map.upper.value_or(0.0) > min_sr) map.lower = min_sr;
    }
  }
}

report::SceneView best_view(const model::Scene& scene, model::BodyIndex object, const PlacementResult& result,
                            const PlacementOptions& options) {
  const Placement& best = result.placements.front();
  model::Scene placed = scene;
  placed.bodies[object].X_WB = best.X_WO;
  report::SceneView view = report::view_scene(placed);
  add_ghosts(placed, object, result, view);
  add_patches(best, result.body_names, view.scene);
  add_load_polygons(prepare(scene, object, options), best, view.scene);
  if (best.weakest.body.is_valid()) {
    report::ArrowLayer arrows;
    arrows.name = "weakest push";
    arrows.ends_at_point = true;
    arrows.arrows.push_back({best.weakest.p_W, best.min_sr * best.weakest.d_W,
                             number(best.min_sr) + " N: " + to_string(best.weakest.mode)});
    view.scene.arrows.push_back(std::move(arrows));
  }
  stability::RobustnessMapOptions map;
  map.robustness.keep_proofs = false;
  stability::add_robustness_map(placed, stability::draw_map_picture(placed, map), view);
  begin_scales_at(best.min_sr, view.scene);
  return view;
}

}  // namespace

report::Page placement_page(const model::Scene& scene, model::BodyIndex object, const PlacementResult& result,
                            const PlacementOptions& options) {
  report::Page page("Where can it go?");
  page.set_subtitle(scene.name);
  if (result.placements.empty()) {
    page.set_verdict(report::Verdict::bad,
                     "No placement of '" + result.object_name + "': " + to_string(result.status) + ".");
    page.add_text(model::problem_lines(result.problems, "- "));
    page.add(report::view_scene(scene).scene);
  } else {
    const Placement& best = result.placements.front();
    page.set_verdict(report::Verdict::good, "'" + result.object_name +
                                                "' holds here: " + number(best.min_sr) +
                                                " N is the least push that moves something, " +
                                                number(best.margin_g, "%.3g") + " g the least shake.");
    page.add(best_view(scene, object, result, options).scene);
    page.add(placement_table(result));
    if (!std::isnan(best.guaranteed_margin_g))
      page.add_text(
          "For all friction, masses and outlines inside the intervals: at least " +
          number(best.guaranteed_margin_g, "%.3g") + " g" +
          (std::isfinite(best.guaranteed_min_sr) ? " and " + number(best.guaranteed_min_sr) + " N." : "."));
  }
  if (!result.rejected.empty()) page.add(rejection_table(result));
  page.add_text(std::to_string(result.attempts) + " poses were verified by the planner `" +
                to_string(result.planner) + "`.");
  return page;
}

}  // namespace prehend::placement
