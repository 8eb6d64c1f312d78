#include <algorithm>
#include <string>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/box_tree.h>
#include <prehend/geometry/surface/polyhedron_build.h>

namespace prehend::geometry {

// Where a vertex of one open edge stands in the middle of another, the surface is closed but the mesh is not.
// The longer edge's triangle is cut at the vertex, so that both sides of the seam have the same edges. A
// triangle with several such edges takes several rounds.
void PolyhedronBuilder::close_seams() {
  if (result.is_closed_) return;
  const int max_rounds = 3;
  int cuts = 0;
  for (int round = 0; round < max_rounds; ++round) {
    std::vector<int> seam_edges, open_vertices;
    for (int h = 0; h < static_cast<int>(twin.size()); ++h) {
      if (twin[h] != kNoTwin) continue;
      seam_edges.push_back(h);
      open_vertices.push_back(start(h));
      open_vertices.push_back(end(h));
    }
    std::sort(open_vertices.begin(), open_vertices.end());
    open_vertices.erase(std::unique(open_vertices.begin(), open_vertices.end()), open_vertices.end());
    std::vector<Aabb> boxes;
    for (const int v : open_vertices) boxes.push_back({point(v), point(v)});
    const BoxTree tree(std::move(boxes));

    const int cuts_before = cuts;
    std::vector<char> is_cut(result.mesh_.triangles.size(), 0);
    std::vector<std::pair<double, int>> stops;
    for (const int h : seam_edges) {
      if (is_cut[h / 3]) continue;
      const int from = start(h), to = end(h), apex = start(previous(h));
      const Eigen::Vector3d p = point(from), along = point(to) - p;
      const double length = along.norm();
      stops.clear();
      for (const int i : tree.find_near({p.cwiseMin(point(to)), p.cwiseMax(point(to))}, weld_distance)) {
        const int v = open_vertices[i];
        if (v == from || v == to || v == apex) continue;
        const double t = along.dot(point(v) - p) / length;
        if (t <= weld_distance || t >= length - weld_distance) continue;
        if ((point(v) - p).cross(along).norm() > weld_distance * length) continue;
        stops.emplace_back(t, v);
      }
      if (stops.empty()) continue;
      std::sort(stops.begin(), stops.end());
      is_cut[h / 3] = 1;
      cuts += static_cast<int>(stops.size());
      result.mesh_.triangles[h / 3] = {from, stops[0].second, apex};
      for (std::size_t i = 0; i < stops.size(); ++i) {
        const int next_stop = i + 1 < stops.size() ? stops[i + 1].second : to;
        result.mesh_.triangles.emplace_back(stops[i].second, next_stop, apex);
      }
    }
    if (cuts == cuts_before) break;
    pair_half_edges();
  }
  if (cuts > 0) {
    result.problems_.push_back(std::to_string(cuts) + (cuts == 1 ? " vertex stands" : " vertices stand") +
                               " in the middle of an open edge; the triangles there were cut to match");
  }
}

}  // namespace prehend::geometry
