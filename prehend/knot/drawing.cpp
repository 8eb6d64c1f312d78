#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include <prehend/knot/curve/relaxation.h>
#include <prehend/knot/curve/rope_curve.h>
#include <prehend/knot/drawing.h>
#include <prehend/knot/layout/drawing_svg.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/model/json_writer.h>

namespace prehend::knot {
namespace {

using Eigen::Vector2d;

int suggested_outer_face(const Diagram& diagram) {
  int best = 0;
  std::size_t best_score = 0;
  for (int f = 0; f < diagram.face_count(); ++f) {
    std::size_t score = diagram.face(f).size();
    // A rope's ends usually hang out of its knot.
    for (const int d : diagram.face(f)) {
      if (diagram.passage_ahead(d) == 0) score += static_cast<std::size_t>(diagram.darts());
    }
    if (score <= best_score) continue;
    best = f;
    best_score = score;
  }
  return best;
}

// The longer axis across, the selected end to the left.
void turn_upright(PlaneRope& rope) {
  Vector2d mean = Vector2d::Zero();
  for (const Vector2d& p : rope.points) mean += p / static_cast<double>(rope.points.size());
  Eigen::Matrix2d spread = Eigen::Matrix2d::Zero();
  for (const Vector2d& p : rope.points) spread += (p - mean) * (p - mean).transpose();
  const double angle = 0.5 * std::atan2(2 * spread(0, 1), spread(0, 0) - spread(1, 1));
  Vector2d axis(std::cos(angle), std::sin(angle));
  const Vector2d first = rope.points[static_cast<std::size_t>(rope.segments.front().front())];
  const Vector2d last = rope.points[static_cast<std::size_t>(rope.segments.back().back())];
  if ((last - first).dot(axis) < 0) axis = -axis;
  for (Vector2d& p : rope.points)
    p = Vector2d(axis.dot(p - mean),
                 axis.x() * p.y() - axis.y() * p.x() - (axis.x() * mean.y() - axis.y() * mean.x()));
}

// Centred on the origin.
void fit(PlaneRope& rope, double width) {
  Vector2d low = rope.points.front(), high = low;
  for (const Vector2d& p : rope.points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const double scale = width / (high - low).maxCoeff();
  const Vector2d middle = 0.5 * (low + high);
  for (Vector2d& p : rope.points) p = scale * (p - middle);
}

struct Smoothed {
  RopePolyline line;
  RopeCurve curve;
};

// The roundest curve that shows the code; nothing when not even the polyline does.
std::optional<Smoothed> smoothed(const PlaneRope& rope, const PData& data) {
  const RopePolyline corners = polyline_of(rope);
  if (!shows(corners, data)) return std::nullopt;
  for (const double roundness : {1.0, 0.6, 0.3}) {
    const RopeCurve curve = curve_through(corners, roundness);
    // The picture's curve, by chords much shorter than its features, and the line of two chords a piece.
    const RopePolyline line = flattened(curve, 2);
    if (shows(flattened(curve, 6), data) && shows(line, data)) return Smoothed{line, curve};
  }
  return Smoothed{corners, curve_through(corners, 0.0)};
}

double least_distance(const std::vector<Vector2d>& points) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j)
      least = std::min(least, (points[i] - points[j]).norm());
  }
  return least;
}

void describe(const Diagram& diagram, const PlaneRope& rope, const DrawingOptions& options,
              Drawing& drawing) {
  const PData& data = diagram.data();
  for (int i = 1; i <= data.passages(); ++i) {
    const bool first = data.other(i) > i;
    drawing.crossing_of.push_back(first ? static_cast<int>(drawing.crossings.size())
                                        : drawing.crossing_of[static_cast<std::size_t>(data.other(i)) - 1]);
    if (first) drawing.crossings.push_back(rope.points[static_cast<std::size_t>(rope.crossing_point(i))]);
  }
  drawing.least_crossing_distance = least_distance(drawing.crossings) / options.width;
}

void add_lines(const Diagram& diagram, const Smoothed& smooth, const DrawingOptions& options,
               Drawing& drawing) {
  const PData& data = diagram.data();
  std::size_t passage = 0;
  std::vector<Vector2d> segment;
  double z = 0;
  const double height = options.height * options.width;
  const RopePolyline& line = smooth.line;
  for (std::size_t k = 0; k < line.points.size(); ++k) {
    const bool enters =
        passage < line.passage_edges.size() && line.passage_edges[passage] == static_cast<int>(k);
    const bool leaves = passage > 0 && line.passage_edges[passage - 1] + 1 == static_cast<int>(k);
    if (enters) ++passage;
    z = enters || leaves ? (data.is_over(static_cast<int>(passage)) ? height : -height) : 0.0;
    drawing.polyline.emplace_back(line.points[k].x(), line.points[k].y(), z);
    segment.push_back(line.points[k]);
    if (!enters) continue;
    const Vector2d c = drawing.crossings[static_cast<std::size_t>(drawing.crossing_of[passage - 1])];
    segment.push_back(c);
    drawing.segments.push_back(std::move(segment));
    segment = {c};
  }
  drawing.segments.push_back(std::move(segment));
  for (int f = 0; f < diagram.face_count(); ++f) {
    std::vector<Vector2d>& outline = drawing.faces.emplace_back();
    for (const int d : diagram.face(f)) {
      std::vector<Vector2d> along = drawing.segments[static_cast<std::size_t>(Diagram::segment_of(d)) - 1];
      if (!Diagram::is_forward(d)) std::reverse(along.begin(), along.end());
      outline.insert(outline.end(), along.begin(), along.end() - 1);
    }
  }
}

}  // namespace

const char* to_string(DrawingStatus status) { return enum_text(status); }

void DrawingOptions::validate() const {
  const math::OptionCheck check("DrawingOptions");
  check.above("width", width, 0);
  check.above("height", height, 0);
  check.between("line_width", line_width, 0, 0.2);
  check.at_least("most_crossings", most_crossings, 0);
}

int suggested_outer_face(const PData& data) { return suggested_outer_face(Diagram(data)); }

std::string Drawing::brief_report() const {
  if (!drawn()) return "not drawn: " + problem;
  std::ostringstream text;
  text.precision(3);
  text << crossings.size() << (crossings.size() == 1 ? " crossing, " : " crossings, ") << faces.size()
       << (faces.size() == 1 ? " face" : " faces") << ", outer face " << outer_face;
  if (crossings.size() > 1)
    text << "; nearest crossings " << least_crossing_distance << " of the width apart";
  return text.str();
}

std::string Drawing::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status)).field("crossings", crossings.size());
  json.field("faces", faces.size()).field("outer_face", outer_face).key("least_crossing_distance");
  if (crossings.size() > 1)
    json.value(least_crossing_distance);
  else
    json.null();
  json.field_unless_empty("problem", problem);
  return json.field("polyline", polyline).end().text();
}

Drawing draw(const PData& data, const DrawingOptions& options) {
  options.validate();
  Drawing drawing;
  if (data.crossings() > options.most_crossings) {
    drawing.problem = "the code has " + std::to_string(data.crossings()) + " crossings; at most " +
                      std::to_string(options.most_crossings) + " are drawn";
    drawing.status = DrawingStatus::too_many_crossings;
    return drawing;
  }
  drawing.problem = find_problem(data);
  if (!drawing.problem.empty()) {
    drawing.status = DrawingStatus::not_drawn;
    return drawing;
  }
  const Diagram diagram(data);
  drawing.outer_face = options.outer_face.value_or(suggested_outer_face(diagram));
  const int faces = diagram.face_count();
  math::OptionCheck("DrawingOptions")
      .holds(drawing.outer_face >= 0 && drawing.outer_face < faces, "outer_face",
             std::to_string(drawing.outer_face),
             "a number between 0 and " + std::to_string(faces - 1) + " (the code has " +
                 std::to_string(faces) + (faces == 1 ? " face)" : " faces)"));

  const PlaneRope grid = draw_on_grid(diagram, drawing.outer_face);
  PlaneRope rope = grid;
  std::optional<Smoothed> smooth;
  if (std::optional<PlaneRope> relaxed = options.relax ? relax(diagram, grid) : std::nullopt) {
    rope = *std::move(relaxed);
    turn_upright(rope);
    fit(rope, options.width);
    smooth = smoothed(rope, data);
    drawing.relaxed = smooth.has_value();
  }
  if (!smooth) {
    rope = with_cut_corners(grid);
    fit(rope, options.width);
    smooth = smoothed(rope, data);
  }
  if (!smooth) throw std::logic_error("a drawing on the grid must show its code");
  describe(diagram, rope, options, drawing);
  add_lines(diagram, *smooth, options, drawing);
  SvgStyle style;
  style.crossing_numbers = options.crossing_numbers;
  style.line_width = options.line_width > 0
                         ? options.line_width
                         : std::clamp(0.15 * drawing.least_crossing_distance, 0.004, 0.025);
  SvgPicture picture = to_svg(smooth->curve, data, style);
  drawing.svg = svg_text(picture, data);
  drawing.svg_elements = std::move(picture.elements);
  drawing.svg_size = picture.size;
  drawing.status = DrawingStatus::ok;
  return drawing;
}

}  // namespace prehend::knot
