#include <prehend/math/angles.h>
#include <prehend/model/text_table.h>
#include <prehend/stability/pages.h>

namespace prehend::stability {
namespace {

// From the poses as read to the mended ones, and back.
report::Motion mending(const model::Scene& before, const MendResult& result, const report::SceneView& view) {
  report::Motion motion;
  motion.name = "as read, then mended";
  motion.playback = report::Motion::Playback::back_and_forth;
  motion.times = {0.0, 0.5, 1.5, 2.0};
  for (const MendedBody& body : result.bodies) {
    if (!view.bodies[body.body].is_valid()) continue;
    const math::Pose &from = before.bodies[body.body].X_WB, &to = result.scene.bodies[body.body].X_WB;
    motion.tracks.push_back({view.bodies[body.body], {from, from, to, to}});
  }
  return motion;
}

report::Table moved_table(const MendResult& result, const report::SceneView& view) {
  report::Table table;
  table.caption = "How far each body was moved";
  table.columns = {
      {"body", "", 4, ""}, {"moved", "mm", 3, "of its centre of mass"}, {"turned", "deg", 3, ""}};
  for (const MendedBody& body : result.bodies) {
    table.rows.push_back({result.scene.bodies[body.body].name, 1e3 * body.moved, math::degrees(body.turned)});
    report::RowLink link;
    if (view.bodies[body.body].is_valid()) link.body = view.bodies[body.body];
    table.links.push_back(link);
  }
  return table;
}

}  // namespace

report::Page mending_page(const model::Scene& before, const MendResult& result) {
  report::Page page("The nearest scene that neither overlaps nor floats");
  page.set_subtitle(before.name);
  const bool ok = result.status == MendStatus::ok;
  page.set_verdict(ok ? report::Verdict::good : report::Verdict::bad,
                   result.counts_text() + (ok ? "." : "; the scene is not mended."));
  const std::string problems = model::problem_lines(result.problems, "- ");
  if (!problems.empty()) page.add_text(problems);
  report::SceneView view = report::view_scene(result.scene);
  report::add_contacts(view, result.scene, model::find_scene_contacts(result.scene));
  view.scene.add_motion(mending(before, result, view));
  report::Table table = moved_table(result, view);
  page.add(std::move(view.scene));
  page.add(std::move(table));
  return page;
}

}  // namespace prehend::stability
