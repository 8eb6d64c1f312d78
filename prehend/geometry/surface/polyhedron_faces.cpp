#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include <Eigen/Geometry>

#include <prehend/geometry/surface/polyhedron_build.h>

namespace prehend::geometry {

namespace {

// Of every triangle of a mesh.
struct TriangleShapes {
  std::vector<Eigen::Vector3d> area_vectors, normals;
  std::vector<double> areas, heights;  // height over the longest side
};

TriangleShapes shapes_of(const TriangleMesh& mesh) {
  const std::size_t count = mesh.triangles.size();
  TriangleShapes shapes{std::vector<Eigen::Vector3d>(count), std::vector<Eigen::Vector3d>(count),
                        std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t t = 0; t < count; ++t) {
    const Eigen::Vector3i& corners = mesh.triangles[t];
    const Eigen::Vector3d &p = mesh.vertices[corners[0]], &q = mesh.vertices[corners[1]],
                          &r = mesh.vertices[corners[2]];
    const Eigen::Vector3d area_vector = 0.5 * (q - p).cross(r - p);
    const double area = area_vector.norm();
    const double longest =
        std::sqrt(std::max({(q - p).squaredNorm(), (r - q).squaredNorm(), (p - r).squaredNorm()}));
    shapes.area_vectors[t] = area_vector;
    shapes.areas[t] = area;
    shapes.heights[t] = 2.0 * area / longest;
    shapes.normals[t] = area > 0.0 ? Eigen::Vector3d(area_vector / area) : Eigen::Vector3d::Zero();
  }
  return shapes;
}

// A plane through the triangles taken so far, fitted anew whenever their number has doubled: a small seed knows its plane badly
// far away.
class GrowingPlane {
 public:
  GrowingPlane(const TriangleMesh& mesh, const TriangleShapes& shapes, int seed)
      : mesh_(mesh), shapes_(shapes), normal_(shapes.normals[seed]), area_vector_(shapes.area_vectors[seed]) {
    const Eigen::Vector3d& corner = mesh.vertices[mesh.triangles[seed][0]];
    weighted_centre_ = shapes.areas[seed] * corner;
    area_ = shapes.areas[seed];
    offset_ = normal_.dot(corner);
  }

  bool holds(int t, double flatness_angle, double flatness_distance) const {
    // The normal of a low triangle is uncertain by flatness_distance / height.
    const double allowed = flatness_angle + 2.0 * flatness_distance / shapes_.heights[t];
    if (shapes_.normals[t].dot(normal_) <= 0.0 || shapes_.normals[t].cross(normal_).norm() > allowed)
      return false;
    double distance = 0.0;
    for (const int v : mesh_.triangles[t])
      distance = std::max(distance, std::abs(normal_.dot(mesh_.vertices[v]) - offset_));
    return distance <= flatness_distance;
  }

  void add(int t) {
    const Eigen::Vector3i& c = mesh_.triangles[t];
    area_vector_ += shapes_.area_vectors[t];
    area_ += shapes_.areas[t];
    weighted_centre_ +=
        shapes_.areas[t] / 3.0 * (mesh_.vertices[c[0]] + mesh_.vertices[c[1]] + mesh_.vertices[c[2]]);
    if (++count_ < refit_at_) return;
    normal_ = area_vector_.normalized();
    offset_ = normal_.dot(weighted_centre_) / area_;
    refit_at_ *= 2;
  }

 private:
  const TriangleMesh& mesh_;
  const TriangleShapes& shapes_;
  Eigen::Vector3d normal_, area_vector_, weighted_centre_;
  double area_, offset_;
  int count_{1}, refit_at_{2};
};

}  // namespace

void PolyhedronBuilder::grow_faces() {
  const TriangleShapes shapes = shapes_of(result.mesh_);
  const int count = static_cast<int>(result.mesh_.triangles.size());
  // A triangle lower than the flatness distance has no normal worth the name: it follows its longest side's
  // neighbour.
  const auto is_sliver = [&](int t) { return shapes.heights[t] <= flatness_distance; };
  std::vector<int> by_area(count);
  std::iota(by_area.begin(), by_area.end(), 0);
  std::sort(by_area.begin(), by_area.end(), [&](int a, int b) {
    return shapes.areas[a] != shapes.areas[b] ? shapes.areas[a] > shapes.areas[b] : a < b;
  });

  std::vector<int> face(count, -1), region;
  int faces = 0;
  for (const int seed : by_area) {
    if (face[seed] >= 0 || is_sliver(seed)) continue;
    region.assign(1, seed);
    face[seed] = faces;
    GrowingPlane plane(result.mesh_, shapes, seed);
    for (std::size_t i = 0; i < region.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        const int other_half = twin[3 * region[i] + k];
        if (other_half < 0) continue;
        const int other = other_half / 3;
        if (face[other] >= 0 || is_sliver(other)) continue;
        if (!plane.holds(other, options.flatness_angle, flatness_distance)) continue;
        face[other] = faces;
        region.push_back(other);
        plane.add(other);
      }
    }
    ++faces;
  }
  join_slivers(face, faces);
  number_faces(face, faces);
}

// Slivers join across the longest side that any of them shares with a face, again and again; what finds no
// face becomes one.
void PolyhedronBuilder::join_slivers(std::vector<int>& face, int& faces) const {
  const int count = static_cast<int>(face.size());
  struct Join {
    double length;  // squared
    int sliver, face;
    bool operator<(const Join& other) const {
      return length != other.length ? length < other.length : sliver > other.sliver;
    }
  };
  std::priority_queue<Join> joins;
  const auto offer_neighbours = [&](int t) {
    for (int h = 3 * t; h < 3 * t + 3; ++h) {
      if (twin[h] < 0 || face[twin[h] / 3] >= 0) continue;
      joins.push({(point(end(h)) - point(start(h))).squaredNorm(), twin[h] / 3, face[t]});
    }
  };
  for (int t = 0; t < count; ++t) {
    if (face[t] >= 0) offer_neighbours(t);
  }
  for (int t = 0;; ++t) {
    while (!joins.empty()) {
      const Join join = joins.top();
      joins.pop();
      if (face[join.sliver] >= 0) continue;
      face[join.sliver] = join.face;
      offer_neighbours(join.sliver);
    }
    while (t < count && face[t] >= 0) ++t;
    if (t == count) break;
    face[t] = faces++;
    offer_neighbours(t);
  }
}

// Numbered by their first triangle, so that rounding in the areas does not reorder faces.
void PolyhedronBuilder::number_faces(const std::vector<int>& face, int faces) {
  const int count = static_cast<int>(face.size());
  std::vector<int> number(faces, -1);
  int next_number = 0;
  result.triangle_faces_.resize(count);
  for (int t = 0; t < count; ++t) {
    if (number[face[t]] < 0) number[face[t]] = next_number++;
    result.triangle_faces_[t] = FaceIndex(number[face[t]]);
  }
  result.faces_.resize(faces);

  std::vector<int>& begin = result.face_triangle_start_;
  begin.assign(faces + 1, 0);
  for (const FaceIndex f : result.triangle_faces_) ++begin[f + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<int> fill(begin.begin(), begin.end() - 1);
  result.face_triangle_list_.resize(count);
  for (int t = 0; t < count; ++t) result.face_triangle_list_[fill[result.triangle_faces_[t]]++] = t;
}

void PolyhedronBuilder::fit_planes() {
  for (std::size_t f = 0; f < result.faces_.size(); ++f) {
    PolyhedronFace& face = result.faces_[f];
    const std::span<const int> triangles = result.face_triangles(FaceIndex(f));
    const Eigen::Vector3d origin = point(result.mesh_.triangles[triangles.front()][0]);
    Eigen::Vector3d area_vector = Eigen::Vector3d::Zero();
    double height_sum = 0.0;
    for (const int t : triangles) {
      const Eigen::Vector3i& c = result.mesh_.triangles[t];
      area_vector += 0.5 * (point(c[1]) - point(c[0])).cross(point(c[2]) - point(c[0]));
    }
    face.area = area_vector.norm();
    face.normal = face.area > 0.0 ? Eigen::Vector3d(area_vector / face.area) : Eigen::Vector3d::Zero();
    // A vertex counts as often as it has triangles here; flat faces do not mind, noisy ones get a sensible
    // mean.
    double low = 0.0, high = 0.0;
    for (const int t : triangles) {
      for (const int v : result.mesh_.triangles[t]) {
        const double height = face.normal.dot(point(v) - origin);
        height_sum += height;
        low = std::min(low, height);
        high = std::max(high, height);
      }
    }
    const double mean = height_sum / (3.0 * static_cast<double>(triangles.size()));
    face.offset = face.normal.dot(origin) + mean;
    face.flatness_deviation = std::max(high - mean, mean - low);
  }
}

}  // namespace prehend::geometry
