#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include <Eigen/Geometry>

#include <prehend/geometry/surface/polyhedron_build.h>

namespace prehend::geometry {

void PolyhedronBuilder::grow_faces() {
  const std::vector<Eigen::Vector3i>& triangles = result.mesh_.triangles;
  const int count = static_cast<int>(triangles.size());
  std::vector<Eigen::Vector3d> area_vectors(count), normals(count);
  std::vector<double> areas(count), heights(count);  // height over the longest side
  for (int t = 0; t < count; ++t) {
    const Eigen::Vector3d &p = point(triangles[t][0]), &q = point(triangles[t][1]),
                          &r = point(triangles[t][2]);
    area_vectors[t] = 0.5 * (q - p).cross(r - p);
    areas[t] = area_vectors[t].norm();
    const double longest =
        std::sqrt(std::max({(q - p).squaredNorm(), (r - q).squaredNorm(), (p - r).squaredNorm()}));
    heights[t] = 2.0 * areas[t] / longest;
    normals[t] = areas[t] > 0.0 ? Eigen::Vector3d(area_vectors[t] / areas[t]) : Eigen::Vector3d::Zero();
  }
  // A triangle lower than the flatness distance has no normal worth the name: it follows its longest side's
  // neighbour.
  const auto is_sliver = [&](int t) { return heights[t] <= flatness_distance; };

  std::vector<int> by_area(count);
  std::iota(by_area.begin(), by_area.end(), 0);
  std::sort(by_area.begin(), by_area.end(),
            [&](int a, int b) { return areas[a] != areas[b] ? areas[a] > areas[b] : a < b; });

  std::vector<int> face(count, -1), region;
  int faces = 0;
  for (const int seed : by_area) {
    if (face[seed] >= 0 || is_sliver(seed)) continue;
    region.assign(1, seed);
    face[seed] = faces;
    Eigen::Vector3d normal = normals[seed], area_vector = area_vectors[seed];
    Eigen::Vector3d weighted_centre = areas[seed] * point(triangles[seed][0]);
    double area = areas[seed], offset = normal.dot(point(triangles[seed][0]));
    std::size_t refit_at = 2;
    for (std::size_t i = 0; i < region.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        const int other_half = twin[3 * region[i] + k];
        if (other_half < 0) continue;
        const int other = other_half / 3;
        if (face[other] >= 0 || is_sliver(other)) continue;
        // The normal of a low triangle is uncertain by flatness_distance / height.
        const double allowed = options.flatness_angle + 2.0 * flatness_distance / heights[other];
        if (normals[other].dot(normal) <= 0.0 || normals[other].cross(normal).norm() > allowed) continue;
        const Eigen::Vector3i& corners = triangles[other];
        double distance = 0.0;
        for (int c = 0; c < 3; ++c)
          distance = std::max(distance, std::abs(normal.dot(point(corners[c])) - offset));
        if (distance > flatness_distance) continue;
        face[other] = faces;
        region.push_back(other);
        area_vector += area_vectors[other];
        area += areas[other];
        weighted_centre += areas[other] / 3.0 * (point(corners[0]) + point(corners[1]) + point(corners[2]));
        if (region.size() == refit_at) {  // a small seed knows its plane badly far away
          normal = area_vector.normalized();
          offset = normal.dot(weighted_centre) / area;
          refit_at *= 2;
        }
      }
    }
    ++faces;
  }

  // Slivers join across the longest side that any of them shares with a face, again and again; what finds no
  // face becomes one.
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

  // Numbered by their first triangle, so that rounding in the areas does not reorder faces.
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
