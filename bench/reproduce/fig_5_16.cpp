// Source L, figure 5.16: P-data to a drawing and back, with each of its faces outside.
//
// The source prints the code, the number of vertices and edges, and the faces by their edges; the pictures are ours.
#include "reproduction.h"
#include <prehend/knot/diagram.h>
#include <prehend/knot/drawing.h>
#include <prehend/knot/projection.h>
#include <prehend/model/json_writer.h>
#include <prehend/report/page.h>

namespace prehend::reproduce {
namespace {

// The source's edge k joins passages k and k + 1: segment k + 1 here. It leaves out the two end segments.
std::string edges_of(const knot::Diagram& diagram, int face) {
  std::string edges;
  for (const int dart : diagram.face(face)) {
    const int segment = knot::Diagram::segment_of(dart);
    if (segment == 1 || segment == diagram.data().segments()) continue;
    edges += (edges.empty() ? "e" : " e") + std::to_string(segment - 1);
  }
  return edges;
}

}  // namespace

Reproduction figure_5_16(const ReproduceOptions& options) {
  options.validate();
  const knot::PData code{{4, 5, 6, 1, 2, 3}, {3, 4, 3, 4, 3, 4}};
  const knot::Diagram diagram(code);
  Reproduction result;
  result.page = report::Page("Does the code hold the whole drawing?");
  result.page.set_subtitle("Takamatsu 2004, figure 5.16, and here");
  result.text = to_text(code) + "\n" + std::to_string(code.crossings()) + " vertices, " +
                std::to_string(code.segments() - 2) + " inner edges, " +
                std::to_string(diagram.face_count()) +
                " faces (source: 3, 5, 4; faces e1 e4, e2 e5, e1 e5 e3, e4 e2 e3)\n";
  model::JsonWriter json;
  json.object().field("id", "fig-5.16").field("vertices", code.crossings());
  json.field("edges", code.segments() - 2).field("faces", diagram.face_count()).key("drawings").array();
  int same = 0;
  report::Pictures pictures;
  for (int face = 0; face < diagram.face_count(); ++face) {
    knot::DrawingOptions drawing_options;
    drawing_options.outer_face = face;
    const knot::Drawing drawing = knot::draw(code, drawing_options);
    const knot::ProjectionResult read = knot::project_rope(drawing.polyline);
    const bool again = read.status == knot::ProjectionStatus::generic && read.p_data == code;
    same += again ? 1 : 0;
    const std::string edges = edges_of(diagram, face);
    result.text += "  outer face " + edges + ": drawn, and " +
                   (again ? "read back as the same code" : "read back differently") + "\n";
    json.object().field("outer_face", edges).field("same_code", again).end();
    pictures.pictures.push_back({"outer face " + edges, drawing.svg});
  }
  result.page.add(std::move(pictures));
  const std::string conclusion = std::to_string(same) + " of " + std::to_string(diagram.face_count()) +
                                 " drawings give the code back (source: all four, shown as pictures)";
  result.text += conclusion + "\n";
  result.page.set_verdict(same == diagram.face_count() ? report::Verdict::good : report::Verdict::bad,
                          conclusion);
  result.json = json.end().field("agrees", same == diagram.face_count()).end().text();
  return result;
}

}  // namespace prehend::reproduce
