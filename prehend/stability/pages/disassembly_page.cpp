#include <algorithm>
#include <cmath>

#include <prehend/stability/drawing/mechanism_view.h>
#include <prehend/stability/limit/falling.h>
#include <prehend/stability/pages.h>
#include <prehend/stability/statics/body_surface.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

constexpr int kFramesPerStep = 20;
constexpr double kSecondsPerStep = 1.2;
// Steps that fit side by side on a page.
constexpr std::size_t kMostColumns = 12;

geometry::Aabb box_of(const model::Body& body) {
  return geometry::bounding_box(geometry::transformed(body_surface(body), body.X_WB).vertices);
}

// Up, aside, and down again: from 0 to the place, with corners rounded off by easing.
Vector3d carried(const Vector3d& place, double height, double x) {
  const auto ease = [](double t) {
    t = std::clamp(t, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
  };
  Vector3d p = ease((x - 0.3) / 0.4) * place;
  p.z() = height * (ease(x / 0.35) - ease((x - 0.65) / 0.35)) + place.z() * ease((x - 0.65) / 0.35);
  return p;
}

// Every body in turn is lifted and put down beside the scene, in a row.
report::Motion taking_apart(const model::Scene& scene, const DisassembleResult& result,
                            const report::SceneView& view) {
  report::Motion motion;
  motion.name = "taking it apart";
  const int steps = static_cast<int>(result.order.size()), frames = kFramesPerStep * steps + 1;
  for (int frame = 0; frame < frames; ++frame)
    motion.times.push_back(kSecondsPerStep * frame / kFramesPerStep);
  std::vector<Vector3d> corners;
  for (const model::Body& body : scene.bodies) {
    if (!body.movable || body.geoms.empty()) continue;
    const geometry::Aabb box = box_of(body);
    corners.push_back(box.lower);
    corners.push_back(box.upper);
  }
  const geometry::Aabb all = geometry::bounding_box(corners);
  const double gap = 0.08 * all.diagonal();
  double x = all.upper.x() + 2.0 * gap;
  for (int step = 0; step < steps; ++step) {
    const model::BodyIndex body = result.order[static_cast<std::size_t>(step)];
    if (!view.bodies[body].is_valid()) continue;
    const geometry::Aabb box = box_of(scene.bodies[body]);
    const Vector3d place(x - box.lower.x(), 0.0, all.lower.z() - box.lower.z());
    const double height = all.upper.z() - box.lower.z() + gap;
    x += box.upper.x() - box.lower.x() + gap;
    report::BodyTrack track{view.bodies[body], {}};
    for (int frame = 0; frame < frames; ++frame) {
      const double at = std::clamp(static_cast<double>(frame) / kFramesPerStep - step, 0.0, 1.0);
      track.X_WB.push_back(math::Pose::translation(carried(place, height, at)) * scene.bodies[body].X_WB);
    }
    motion.tracks.push_back(std::move(track));
  }
  return motion;
}

// `caused`: what load-caused forces hold instead, in newtons.
report::Table score_table(const model::Scene& scene, const DisassembleResult& result, bool caused = false) {
  report::Table table;
  table.caption =
      caused
          ? "Upward pull that load-caused forces hold, in newtons"
          : "Upward pull that moves something, in weights of the body; 1 and nothing else moves: free to go";
  table.columns.push_back({"body", "", 4, ""});
  for (std::size_t i = 0; i < result.steps.size(); ++i)
    table.columns.push_back({"step " + std::to_string(i + 1), "", 4, ""});
  if (result.steps.empty()) return table;
  std::vector<model::BodyIndex> bodies = result.order;
  for (const DisassembleCandidate& candidate : result.steps.front().candidates) {
    if (std::find(bodies.begin(), bodies.end(), candidate.body) == bodies.end())
      bodies.push_back(candidate.body);
  }
  for (const model::BodyIndex body : bodies) {
    std::vector<report::Cell> row{scene.bodies[body].name};
    for (const DisassembleStep& step : result.steps) {
      report::Cell cell;
      for (const DisassembleCandidate& candidate : step.candidates) {
        if (candidate.body == body) cell = caused ? candidate.without_prestress : candidate.score;
      }
      row.push_back(cell);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Many steps: one row each.
report::Table step_table(const model::Scene& scene, const DisassembleResult& result) {
  report::Table table;
  table.caption = "The order";
  table.columns = {{"step", "", 4, ""},
                   {"take", "", 4, ""},
                   {"pull", "", 4, "upward, that moves something, in weights of the body"},
                   {"free to go", "", 4, "bodies that might be taken now"},
                   {"left", "", 4, "bodies before the step"}};
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    const DisassembleStep& step = result.steps[i];
    report::Cell score;
    int free = 0;
    for (const DisassembleCandidate& candidate : step.candidates) {
      free += candidate.is_free;
      if (step.removed.is_valid() && candidate.body == step.removed) score = candidate.score;
    }
    table.rows.push_back(
        {static_cast<double>(i + 1),
         step.removed.is_valid() ? report::Cell{scene.bodies[step.removed].name} : report::Cell{}, score,
         static_cast<double>(free), static_cast<double>(step.candidates.size())});
  }
  return table;
}

std::string order_text(const model::Scene& scene, const DisassembleResult& result) {
  constexpr std::size_t kMostNames = 12;
  std::string order;
  const std::size_t shown = result.order.size() > kMostNames + 1 ? kMostNames : result.order.size();
  for (std::size_t i = 0; i < shown; ++i)
    order += (order.empty() ? "" : ", ") + scene.bodies[result.order[i]].name;
  if (shown < result.order.size())
    order += " and " + std::to_string(result.order.size() - shown) + " more, in the order of the table";
  return order;
}

void add_fall(const model::Scene& scene, const DisassembleOptions& options, report::Page& page,
              report::SceneView& view) {
  const ContactSystem system = build_contact_system(scene, options.system);
  const Falling falling = find_falling(system, options.limit);
  page.set_verdict(report::Verdict::bad, "It falls by itself: " + short_list(scene, falling.bodies) + "." +
                                             friction_advice(system));
  if (falling.motion.empty()) return;
  report::Motion motion = mechanism_motion(scene, system, view, {falling.motion, {}, falling.bodies});
  motion.name = "how it begins to fall";
  mark_falling(scene, motion, falling.bodies, view);
  view.scene.caption = "What falls is red; the arrow shows where it goes. Play to see it begin.";
  view.scene.initial_motion = view.scene.add_motion(std::move(motion));
}

}  // namespace

report::Page disassembly_page(const model::Scene& scene, const DisassembleResult& result,
                              const DisassembleOptions& options) {
  report::Page page("What may I take first?");
  page.set_subtitle(scene.name);
  report::SceneView view = report::view_scene(scene);
  if (result.status == DisassembleStatus::unstable) {
    add_fall(scene, options, page, view);
    page.add(std::move(view.scene));
    return page;
  }
  const bool complete = result.status == DisassembleStatus::ok;
  const std::string order = order_text(scene, result);
  if (complete && result.order.empty())
    page.set_verdict(report::Verdict::note, "Nothing in this scene may move.");
  else
    page.set_verdict(complete ? report::Verdict::good : report::Verdict::bad,
                     complete ? "Take " + order + "."
                              : (order.empty() ? "" : "Take " + order + "; then stop: ") + result.note + ".");
  if (!result.order.empty())
    view.scene.initial_motion = view.scene.add_motion(taking_apart(scene, result, view));
  if (!result.order.empty()) view.scene.caption = "Play to see the order; nothing else moves on the way.";
  page.add(std::move(view.scene));
  if (result.steps.empty()) return page;
  if (result.steps.size() > kMostColumns) {
    page.add(step_table(scene, result));
    return page;
  }
  page.add(score_table(scene, result));
  if (!result.steps.front().candidates.empty() &&
      !std::isnan(result.steps.front().candidates.front().without_prestress)) {
    page.add(score_table(scene, result, true));
  }
  return page;
}

}  // namespace prehend::stability
