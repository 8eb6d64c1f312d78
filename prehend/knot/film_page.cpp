#include <algorithm>
#include <limits>

#include <prehend/knot/drawing.h>
#include <prehend/knot/film_page.h>

namespace prehend::knot {
namespace {

constexpr double kGap = 0.025;  // left free beside a crossing by the lower strand, of the drawing's width

double length_of(const std::vector<Eigen::Vector2d>& points) {
  double length = 0.0;
  for (std::size_t k = 1; k < points.size(); ++k) length += (points[k] - points[k - 1]).norm();
  return length;
}

// Without its first part, of the given length along the line.
std::vector<Eigen::Vector2d> shortened(const std::vector<Eigen::Vector2d>& points, double by) {
  for (std::size_t k = 1; k < points.size(); ++k) {
    const double edge = (points[k] - points[k - 1]).norm();
    if (edge > by) {
      std::vector<Eigen::Vector2d> rest{points[k - 1] + by / edge * (points[k] - points[k - 1])};
      rest.insert(rest.end(), points.begin() + static_cast<std::ptrdiff_t>(k), points.end());
      return rest;
    }
    by -= edge;
  }
  return {points.back()};
}

// Adds a segment's line, without what lies beside crossings that it passes under.
void add_segment(std::vector<Eigen::Vector2d> points, bool gap_before, bool gap_after, report::Series& line) {
  const double gap = std::min(kGap, 0.3 * length_of(points));
  if (gap_before) {
    line.x.push_back(points.front().x());
    line.y.push_back(std::numeric_limits<double>::quiet_NaN());
    points = shortened(points, gap);
  }
  if (gap_after) {
    std::reverse(points.begin(), points.end());
    points = shortened(points, gap);
    std::reverse(points.begin(), points.end());
  }
  for (const Eigen::Vector2d& p : points) {
    line.x.push_back(p.x());
    line.y.push_back(p.y());
  }
}

report::Table code_table(const std::vector<PData>& states, const std::string& caption) {
  report::Table table{
      caption, {{"state", "", 3, ""}, {"crossings", "", 3, ""}, {"P-data", "", 4, ""}}, {}, {}, {}};
  for (std::size_t k = 0; k < states.size(); ++k) {
    table.rows.push_back(
        {static_cast<double>(k + 1), static_cast<double>(states[k].crossings()), to_text(states[k])});
  }
  return table;
}

void add_film(const std::vector<PData>& states, report::Page& page) {
  page.add_heading("The rope, state by state");
  for (std::size_t k = 0; k < states.size(); ++k)
    page.add(diagram_plot(states[k], "state " + std::to_string(k + 1)), report::Width::kHalf);
  page.add(code_table(states, "Codes"));
}

}  // namespace

report::Plot diagram_plot(const PData& data, const std::string& title, std::optional<int> outer_face) {
  report::Plot plot;
  plot.title = title;
  plot.kind = report::Plot::Kind::kXy;
  plot.x_label = plot.x_unit = "";
  plot.equal_axes = true;
  DrawingOptions options;
  options.outer_face = outer_face;
  const Drawing drawing = draw(data, options);
  if (!drawing.drawn()) {
    plot.title += ": " + drawing.problem;
    return plot;
  }
  report::Series rope{"rope", {}, {}, report::Series::Style::kLine, {}};
  for (int s = 1; s <= data.segments(); ++s) {
    const bool gap_before = s > 1 && !data.is_over(s - 1);
    const bool gap_after = s <= data.passages() && !data.is_over(s);
    add_segment(drawing.segments[static_cast<std::size_t>(s) - 1], gap_before, gap_after, rope);
  }
  const Eigen::Vector2d end = drawing.segments.front().front();
  plot.series.push_back(std::move(rope));
  plot.series.push_back({"selected end", {end.x()}, {end.y()}, report::Series::Style::kPoints, {}});
  return plot;
}

report::Page recognition_page(const Recognition& recognition) {
  report::Page page("What was done to the rope?");
  int unknown = 0, moves = 0;
  report::Table table{"Transitions",
                      {{"from state", "", 3, ""},
                       {"to state", "", 3, ""},
                       {"other end", "", 3, "the state after is read from its other end"},
                       {"moves", "", 3, ""},
                       {"what fits", "", 3, ""}},
                      {},
                      {},
                      {}};
  for (std::size_t t = 0; t < recognition.transitions.size(); ++t) {
    const Transition& transition = recognition.transitions[t];
    const bool found = transition.status == SearchStatus::found;
    unknown += found ? 0 : 1;
    moves += transition.moves;
    std::string fits = found ? "" : "nothing found";
    const bool one = !transition.candidates.empty();
    for (const Move& move : one ? transition.candidates : transition.path)
      fits += (fits.empty() ? "" : one ? "; or " : "; then ") + to_text(move);
    table.rows.push_back({static_cast<double>(t + 1), static_cast<double>(t + 2),
                          std::string(transition.swapped ? "yes" : "no"),
                          found ? report::Cell(static_cast<double>(transition.moves)) : report::Cell(),
                          fits});
  }
  if (unknown > 0) {
    page.set_verdict(report::Verdict::kBad,
                     std::to_string(unknown) + " of the transitions have no explanation within the limits.");
  } else {
    page.set_verdict(report::Verdict::kNote, std::to_string(moves) + " moves; " +
                                                 std::to_string(recognition.swaps) +
                                                 " states had to be read from their other end.");
  }
  page.add(std::move(table));
  add_film(recognition.states, page);
  return page;
}

report::Page plan_page(const KnotPlan& plan) {
  report::Page page("How is it tied?");
  page.set_verdict(
      report::Verdict::kNote,
      std::to_string(plan.moves.size()) + (plan.proven_shortest ? " moves; there is no shorter way."
                                                                : " moves; a shorter way is not ruled out."));
  report::Table table{"Moves", {{"to state", "", 3, ""}, {"move", "", 3, ""}}, {}, {}, {}};
  for (std::size_t k = 0; k < plan.moves.size(); ++k)
    table.rows.push_back({static_cast<double>(k + 2), to_text(plan.moves[k])});
  page.add(std::move(table));
  add_film(plan.states, page);
  return page;
}

}  // namespace prehend::knot
