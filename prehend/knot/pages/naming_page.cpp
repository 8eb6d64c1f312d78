#include <algorithm>

#include <prehend/knot/invariants/reduction.h>
#include <prehend/knot/named_knots.h>
#include <prehend/knot/pages.h>
#include <prehend/knot/pages/number_row.h>

namespace prehend::knot {
namespace {

std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string away(const RopeName& name) {
  if (name.rope_knot_moves == 0) return "";
  return ", " + std::to_string(name.rope_knot_moves) + " Reidemeister move" +
         (name.rope_knot_moves == 1 ? "" : "s") + " away";
}

std::string sentence(const RopeName& name) {
  const std::string report = name.over.brief_report();
  std::string text = "Joined end to end: " + report.substr(0, report.find('\n'));
  if (name.differ()) {
    const std::string under = name.under.brief_report();
    text += "; " + under.substr(0, under.find('\n'));
  }
  for (const std::string& one : name.rope_knots) text = named_knot(one).title + away(name) + ". " + text;
  return text + (name.status() == "doubtful" ? "; doubtful." : ".");
}

// A loop has no end; the drawing cuts it where the closing arc meets the rope's selected end.
void add_picture(const PData& data, const std::string& caption, report::Pictures& strip,
                 std::string& problems) {
  Drawing drawing = draw(data);
  if (drawing.drawn()) {
    strip.pictures.push_back({caption, std::move(drawing.svg)});
  } else {
    problems += "No picture (" + caption + "): " + drawing.problem + ".\n\n";
  }
}

void add_pictures(const PData& rope, const RopeName& name, report::Page& page) {
  report::Pictures strip;
  std::string problems;
  const ClosedDiagram over = closed_over(rope);
  const int arc = over.crossings() - rope.crossings();
  add_picture(rope,
              std::string("The rope as coded; the dot marks the selected end.") +
                  (arc == 0 ? " Its ends lie in one face: joined, they cross nothing." : ""),
              strip, problems);
  if (arc > 0) {
    add_picture(opened(over),
                "Its ends joined over everything: the arc crosses " + std::to_string(arc) +
                    (arc == 1 ? " strand" : " strands") + ". The two ends shown are one point of the loop.",
                strip, problems);
  }
  if (name.differ())
    add_picture(opened(closed_under(rope)), "Its ends joined under everything.", strip, problems);
  const ClosedDiagram small = reduced(over);
  add_picture(opened(small),
              small.crossings() == 0
                  ? "What is left of the loop over everything: a circle, cut open."
                  : "What is left of the loop over everything, with fewest crossings found.",
              strip, problems);
  for (const std::string& one : name.rope_knots) {
    if (named_knot(one).p_data == rope) continue;
    add_picture(named_knot(one).p_data, named_knot(one).title + ", as in the collection.", strip, problems);
  }
  if (!strip.pictures.empty()) page.add(std::move(strip));
  if (!problems.empty()) page.add_text(problems);
}

std::vector<report::Cell> invariant_row(const char* what, const RopeName& name,
                                        std::string (*value)(const KnotName&)) {
  return {std::string(what), value(name.over), value(name.under)};
}

report::Table invariant_table(const RopeName& name) {
  report::Table table{"Invariants of the closed rope",
                      {{"", "", 4, ""}, {"closed over", "", 4, ""}, {"closed under", "", 4, ""}},
                      {},
                      {},
                      {}};
  const auto add = [&](const char* what, std::string (*value)(const KnotName&)) {
    table.rows.push_back(invariant_row(what, name, value));
  };
  add("fits",
      [](const KnotName& k) { return k.names.empty() ? std::string("none of the table") : list(k.names); });
  add("sure", [](const KnotName& k) { return (k.proved ? "proved: " : "not proved: ") + k.reason; });
  add("prime components", [](const KnotName& k) {
    return k.prime_components.empty() ? std::string("none") : list(k.prime_components);
  });
  add("Alexander polynomial", [](const KnotName& k) {
    return k.has_invariants ? k.values.alexander.to_text() : std::string("not computed");
  });
  add("Jones polynomial", [](const KnotName& k) {
    return k.has_invariants && k.values.jones_known ? k.values.jones.to_text() : std::string("not computed");
  });
  add("signature", [](const KnotName& k) {
    return k.has_invariants ? std::to_string(k.values.signature) : std::string("not computed");
  });
  add("determinant", [](const KnotName& k) {
    return k.has_invariants ? std::to_string(k.values.determinant) : std::string("not computed");
  });
  add("crossings, closed", [](const KnotName& k) { return std::to_string(k.closed_crossings); });
  add("crossings, reduced", [](const KnotName& k) { return std::to_string(k.reduced_crossings); });
  return table;
}

}  // namespace

report::Page naming_page(const PData& rope, const RopeName& name,
                         std::span<const Eigen::Vector3d> centre_line, const std::string& source) {
  report::Page page("Which knot is it?");
  page.set_subtitle(source);
  page.set_verdict(name.status() == "ok" ? report::Verdict::good
                   : name.is_named()     ? report::Verdict::note
                                         : report::Verdict::bad,
                   sentence(name));
  for (const std::string& doubt : name.doubts) page.add_text("**Doubtful:** " + doubt + ".");
  add_pictures(rope, name, page);
  page.add(invariant_table(name));
  const Drawing drawing = draw(rope);
  if (!centre_line.empty() || drawing.drawn()) {
    const std::span<const Eigen::Vector3d> line = centre_line.empty() ? drawing.polyline : centre_line;
    Eigen::Vector3d low = line.front(), high = line.front();
    for (const Eigen::Vector3d& p : line) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    report::Scene3d scene = rope_scene(line, 0.008 * (high - low).norm());
    scene.caption = centre_line.empty() ? "The drawing as a rope in space." : "The recorded rope.";
    page.add(std::move(scene));
  }
  report::Facts facts{
      "The rope's own code",
      {{"sigma", number_row(rope.sigma), "", "the other number of each crossing"},
       {"attr", number_row(rope.attr), "", "1 over/-, 2 under/-, 3 over/+, 4 under/+"},
       {"writhe", std::to_string(name.over.writhe), "", "sum of the signs; depends on the drawing"},
       {"tied as", name.rope_knots.empty() ? "none of the named knots" : list(name.rope_knots) + away(name),
        "", "by the code, not by the loop"}}};
  page.add(std::move(facts));
  return page;
}

}  // namespace prehend::knot
