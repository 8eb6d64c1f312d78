#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/box_tree.h>
#include <prehend/geometry/surface/polyhedron_build.h>
#include <prehend/math/angles.h>

namespace prehend::geometry {

int PolyhedronBuilder::next_rim(int h) const {
  int candidate = next(h);
  while (!is_rim(candidate)) candidate = next(twin[candidate]);
  return candidate;
}

void PolyhedronBuilder::walk_loops() {
  std::vector<char> walked(twin.size(), 0);
  struct Loop {
    int begin, end;
    double area;  // [m^2] positive counter-clockwise
  };
  std::vector<Loop> loops;
  std::vector<int> rims;
  for (std::size_t f = 0; f < result.faces_.size(); ++f) {
    PolyhedronFace& face = result.faces_[f];
    loops.clear();
    rims.clear();
    for (const int t : result.face_triangles(FaceIndex(f))) {
      for (int k = 0; k < 3; ++k) {
        const int first = 3 * t + k;
        if (walked[first] || !is_rim(first)) continue;
        const int begin = static_cast<int>(rims.size());
        const Eigen::Vector3d& origin = point(start(first));
        double area = 0.0;
        for (int h = first; !walked[h]; h = next_rim(h)) {
          walked[h] = 1;
          rims.push_back(h);
          area += 0.5 * face.normal.dot((point(start(h)) - origin).cross(point(end(h)) - origin));
          face.perimeter += (point(end(h)) - point(start(h))).norm();
        }
        loops.push_back({begin, static_cast<int>(rims.size()), area});
      }
    }
    std::stable_sort(loops.begin(), loops.end(),
                     [](const Loop& a, const Loop& b) { return a.area > b.area; });
    face.first_loop = static_cast<int>(result.loops_.size());
    face.loop_count = static_cast<int>(loops.size());
    for (const Loop& loop : loops) {
      const int begin = static_cast<int>(loop_rims.size());
      loop_rims.insert(loop_rims.end(), rims.begin() + loop.begin, rims.begin() + loop.end);
      result.loops_.push_back({begin, static_cast<int>(loop_rims.size())});
    }
  }
  result.loop_vertices_.reserve(loop_rims.size());
  for (const int h : loop_rims) result.loop_vertices_.emplace_back(start(h));
}

// Straight on: little off the line and little turned. Either test alone would flatten fine circles or large
// ones.
bool PolyhedronBuilder::is_straight(const Eigen::Vector3d& before, const Eigen::Vector3d& here,
                                    const Eigen::Vector3d& after) const {
  const Eigen::Vector3d in = here - before, out = after - here, chord = after - before;
  const double turn = in.cross(out).norm();
  return in.dot(out) > 0.0 && turn <= flatness_distance * chord.norm() &&
         turn <= (options.flatness_angle + flatness_distance / std::min(in.norm(), out.norm())) * in.norm() *
                     out.norm();
}

PolyhedronEdge PolyhedronBuilder::edge_along(int first, int last) const {
  PolyhedronEdge edge;
  edge.start = VertexIndex(start(first));
  edge.end = VertexIndex(end(last));
  edge.left = FaceIndex(face_of(first));
  edge.kind = twin[first] == kNonManifold ? EdgeKind::non_manifold : EdgeKind::boundary;
  edge.interior_angle = math::kPi;
  if (twin[first] < 0) return edge;
  edge.right = FaceIndex(face_of(twin[first]));
  const Eigen::Vector3d along = (point(edge.end.value()) - point(edge.start.value())).normalized();
  const Eigen::Vector3d &left = result.faces_[edge.left].normal, &right = result.faces_[edge.right].normal;
  const double turn = std::atan2(left.cross(right).dot(along), left.dot(right));  // positive where convex
  edge.interior_angle = math::kPi - turn;
  edge.kind = std::abs(turn) <= options.flatness_angle ? EdgeKind::flat
              : turn > 0.0                             ? EdgeKind::convex
                                                       : EdgeKind::concave;
  return edge;
}

void PolyhedronBuilder::join_edges() {
  // How many rims between faces meet at a vertex, each mesh edge counted once.
  const int half_edges = static_cast<int>(twin.size());
  const auto is_first = [&](int h) { return twin[h] < 0 || h < twin[h]; };
  std::vector<int> degree(result.mesh_.vertices.size(), 0);
  for (int h = 0; h < half_edges; ++h) {
    if (!is_rim(h) || !is_first(h)) continue;
    ++degree[start(h)];
    ++degree[end(h)];
  }
  std::vector<int> previous_rim(half_edges, -1);
  for (const Polyhedron::Range& loop : result.loops_) {
    for (int i = loop.begin; i < loop.end; ++i) {
      previous_rim[loop_rims[i]] = loop_rims[i == loop.begin ? loop.end - 1 : i - 1];
    }
  }
  const auto right_face = [&](int h) { return twin[h] >= 0 ? face_of(twin[h]) : twin[h]; };
  // The edge through the start of h goes straight on between the same two faces.
  const auto passes_through = [&](int h) {
    const int before = previous_rim[h];
    return degree[start(h)] == 2 && right_face(before) == right_face(h) &&
           is_straight(point(start(before)), point(start(h)), point(end(h)));
  };

  std::vector<int> edge_of(half_edges, -1);
  result.is_corner_.assign(result.mesh_.vertices.size(), 0);
  for (const int h : loop_rims) {
    if (!is_first(h) || edge_of[h] >= 0) continue;
    int first = h;
    while (passes_through(first) && previous_rim[first] != h) first = previous_rim[first];
    const int name = static_cast<int>(result.edges_.size());
    int last = first;
    for (int along = first;;) {
      edge_of[along] = name;
      if (twin[along] >= 0) edge_of[twin[along]] = name;
      last = along;
      along = next_rim(along);
      if (along == first || !passes_through(along)) break;
    }
    const PolyhedronEdge edge = edge_along(first, last);
    result.is_corner_[edge.start] = result.is_corner_[edge.end] = 1;
    result.edges_.push_back(edge);
  }
  result.loop_edges_.reserve(loop_rims.size());
  for (const int h : loop_rims) result.loop_edges_.emplace_back(edge_of[h]);
  keep_corners(previous_rim);
}

void PolyhedronBuilder::keep_corners(const std::vector<int>& previous_rim) {
  for (std::size_t f = 0; f < result.faces_.size(); ++f) {
    PolyhedronFace& face = result.faces_[f];
    face.is_convex = face.loop_count == 1;
    for (int k = 0; k < face.loop_count; ++k) {
      const Polyhedron::Range loop = result.loops_[face.first_loop + k];
      const int begin = static_cast<int>(result.corner_vertices_.size());
      for (int i = loop.begin; i < loop.end; ++i) {
        const int h = loop_rims[i], before = previous_rim[h];
        const Eigen::Vector3d &p = point(start(before)), &q = point(start(h)), &r = point(end(h));
        if (is_straight(p, q, r)) continue;
        result.corner_vertices_.emplace_back(start(h));
        if (face.normal.dot((q - p).cross(r - q)) < 0.0) face.is_convex = false;
      }
      result.corner_loops_.push_back({begin, static_cast<int>(result.corner_vertices_.size())});
      if (result.corner_vertices_.size() - begin < 3) face.is_convex = false;
    }
  }
}

void PolyhedronBuilder::connect() {
  const std::size_t vertex_count = result.mesh_.vertices.size();
  const auto prefix = [](std::vector<int>& counts) {
    std::partial_sum(counts.begin(), counts.end(), counts.begin());
  };

  std::vector<int>& edge_start = result.vertex_edge_start_;
  edge_start.assign(vertex_count + 1, 0);
  for (const PolyhedronEdge& edge : result.edges_) {
    ++edge_start[edge.start + 1];
    ++edge_start[edge.end + 1];
  }
  prefix(edge_start);
  std::vector<int> fill(edge_start.begin(), edge_start.end() - 1);
  result.vertex_edge_list_.resize(edge_start.back());
  for (std::size_t e = 0; e < result.edges_.size(); ++e) {
    result.vertex_edge_list_[fill[result.edges_[e].start]++] = EdgeIndex(e);
    result.vertex_edge_list_[fill[result.edges_[e].end]++] = EdgeIndex(e);
  }

  // Faces of a vertex from the triangles, each face once.
  std::vector<int>& face_start = result.vertex_face_start_;
  std::vector<int> last_seen(vertex_count, -1);
  face_start.assign(vertex_count + 1, 0);
  for (int pass = 0; pass < 2; ++pass) {
    std::fill(last_seen.begin(), last_seen.end(), -1);
    if (pass == 1) {
      prefix(face_start);
      fill.assign(face_start.begin(), face_start.end() - 1);
      result.vertex_face_list_.resize(face_start.back());
    }
    for (std::size_t f = 0; f < result.faces_.size(); ++f) {
      for (const int t : result.face_triangles(FaceIndex(f))) {
        for (const int v : result.mesh_.triangles[t]) {
          if (last_seen[v] == static_cast<int>(f)) continue;
          last_seen[v] = static_cast<int>(f);
          if (pass == 0) {
            ++face_start[v + 1];
          } else {
            result.vertex_face_list_[fill[v]++] = FaceIndex(f);
          }
        }
      }
    }
  }

  std::vector<Eigen::Vector3d>& normals = result.vertex_normals_;
  normals.assign(vertex_count, Eigen::Vector3d::Zero());
  std::vector<Aabb> boxes(result.faces_.size());
  for (std::size_t t = 0; t < result.mesh_.triangles.size(); ++t) {
    const Eigen::Vector3i& c = result.mesh_.triangles[t];
    const FaceIndex f = result.triangle_faces_[t];
    Aabb& box = boxes[f];
    const Eigen::Vector3d ab = point(c[1]) - point(c[0]), bc = point(c[2]) - point(c[1]),
                          ca = point(c[0]) - point(c[2]);
    const double twice_area = ab.cross(bc).norm();
    const double at_a = std::atan2(twice_area, -ab.dot(ca)), at_b = std::atan2(twice_area, -bc.dot(ab));
    const std::array<double, 3> angles{at_a, at_b, std::max(0.0, math::kPi - at_a - at_b)};
    for (int k = 0; k < 3; ++k) {
      normals[c[k]] += angles[k] * result.faces_[f].normal;
      const Eigen::Vector3d& p = point(c[k]);
      const bool is_new = box.is_empty();
      box.lower = is_new ? p : Eigen::Vector3d(box.lower.cwiseMin(p));
      box.upper = is_new ? p : Eigen::Vector3d(box.upper.cwiseMax(p));
    }
  }
  for (Eigen::Vector3d& normal : normals) normal.normalize();
  result.face_tree_ = std::make_shared<const BoxTree>(std::move(boxes));
}

}  // namespace prehend::geometry
