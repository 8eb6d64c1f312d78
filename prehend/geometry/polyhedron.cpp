#include <sstream>

#include <prehend/geometry/contact_search/box_tree.h>
#include <prehend/geometry/polyhedron.h>
#include <prehend/geometry/surface/polyhedron_build.h>
#include <prehend/math/house/option_check.h>

namespace prehend::geometry {
namespace {

void check(const PolyhedronOptions& options) {
  const math::OptionCheck check("PolyhedronOptions");
  const auto require = [&check](const char* name, double value, double bound) {
    check.above(name, value, 0.0);
    check.between(name, value, 0.0, bound);
  };
  require("weld_distance_rel", options.weld_distance_rel, 0.01);
  require("flatness_distance_rel", options.flatness_distance_rel, 0.01);
  require("flatness_angle", options.flatness_angle, 0.5);
}

}  // namespace

Polyhedron::Polyhedron() {
  static const std::shared_ptr<const BoxTree> kNone = std::make_shared<const BoxTree>();
  face_tree_ = kNone;
}

Polyhedron Polyhedron::from_mesh(const TriangleMesh& mesh, const PolyhedronOptions& options) {
  check(options);
  PolyhedronBuilder builder(options);
  builder.weld(mesh);
  builder.pair_half_edges();
  builder.close_seams();
  builder.name_open_edges();
  builder.turn_if_inside_out();
  builder.grow_faces();
  builder.fit_planes();
  builder.walk_loops();
  builder.join_edges();
  builder.connect();
  return std::move(builder.result);
}

std::span<const VertexIndex> Polyhedron::loop(FaceIndex face, int k) const {
  if (k >= faces_[face].loop_count) return {};
  const Range range = loops_[faces_[face].first_loop + k];
  return std::span(loop_vertices_).subspan(range.begin, range.end - range.begin);
}

std::span<const EdgeIndex> Polyhedron::loop_edges(FaceIndex face, int k) const {
  if (k >= faces_[face].loop_count) return {};
  const Range range = loops_[faces_[face].first_loop + k];
  return std::span(loop_edges_).subspan(range.begin, range.end - range.begin);
}

std::span<const VertexIndex> Polyhedron::corners(FaceIndex face, int k) const {
  if (k >= faces_[face].loop_count) return {};
  const Range range = corner_loops_[faces_[face].first_loop + k];
  return std::span(corner_vertices_).subspan(range.begin, range.end - range.begin);
}

std::span<const int> Polyhedron::face_triangles(FaceIndex face) const {
  return std::span(face_triangle_list_)
      .subspan(face_triangle_start_[face], face_triangle_start_[face + 1] - face_triangle_start_[face]);
}

std::span<const EdgeIndex> Polyhedron::vertex_edges(VertexIndex vertex) const {
  return std::span(vertex_edge_list_)
      .subspan(vertex_edge_start_[vertex], vertex_edge_start_[vertex + 1] - vertex_edge_start_[vertex]);
}

std::span<const FaceIndex> Polyhedron::vertex_faces(VertexIndex vertex) const {
  return std::span(vertex_face_list_)
      .subspan(vertex_face_start_[vertex], vertex_face_start_[vertex + 1] - vertex_face_start_[vertex]);
}

std::string Polyhedron::brief_report() const {
  std::ostringstream text;
  text << "Polyhedron: " << vertices().size() << " vertices, " << edges_.size() << " edges, " << faces_.size()
       << " faces (" << mesh_.triangles.size() << " triangles), " << (is_closed_ ? "closed" : "not closed");
  for (const std::string& problem : problems_) text << "\n  " << problem;
  return text.str();
}

}  // namespace prehend::geometry
