#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include <prehend/placement/search/shell.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;

// Triangles of a cluster: fewer make more clusters to look at, more make larger ones.
constexpr int kClusterSize = 16;
// Rows that round to the same multiples are one: corners that triangles share.
constexpr double kSameRow = 1e-9;

// Sorted by pair, each once.
void make_unique(std::vector<GapRow>& rows) {
  struct Key {
    std::array<long, 7> numbers;
    std::size_t row;
  };
  std::vector<Key> keys;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Key key{{std::lround(rows[i].gap / kSameRow)}, i};
    for (int k = 0; k < 6; ++k)
      key.numbers[static_cast<std::size_t>(k + 1)] = std::lround(rows[i].rate[k] / kSameRow);
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    return a.numbers != b.numbers ? a.numbers < b.numbers : a.row < b.row;
  });
  keys.erase(std::unique(keys.begin(), keys.end(),
                         [](const Key& a, const Key& b) { return a.numbers == b.numbers; }),
             keys.end());
  std::vector<GapRow> kept;
  for (const Key& key : keys) kept.push_back(rows[key.row]);
  std::stable_sort(kept.begin(), kept.end(),
                   [](const GapRow& a, const GapRow& b) { return a.pair < b.pair; });
  rows = std::move(kept);
}

ConvexPart triangle_part(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& n) {
  ConvexPart part;
  part.points = {a, b, c};
  part.edges = {{0, 1}, {1, 2}, {2, 0}};
  part.face_normals = {n, -n};  // both: what lies behind it is apart from it, too
  for (const Vector3d& e : {Vector3d(b - a), Vector3d(c - b), Vector3d(a - c)})
    part.edge_directions.push_back(e.stableNormalized());
  return part;
}

Vector3d middle_of(const ConvexPart& triangle) {
  return (triangle.points[0] + triangle.points[1] + triangle.points[2]) / 3.0;
}

}  // namespace

Shell::Shell(const Problem& problem, std::span<const MovedPart> scene) : scene_(scene) {
  for (const MovedPart& part : scene) {
    levels_.emplace_back();
    for (const Vector3d& n : part.normals_W) {
      double level = -std::numeric_limits<double>::infinity();
      for (const Vector3d& p : part.points_W) level = std::max(level, n.dot(p));
      levels_.back().push_back(level);
    }
  }
  for (const PreparedGeom& geom : problem.own) {
    if (geom.round) continue;
    const geometry::TriangleMesh& mesh = geom.polyhedron.mesh();
    for (const Eigen::Vector3i& t : mesh.triangles) {
      const auto at = [&](int k) { return geom.X_BG * mesh.vertices[static_cast<std::size_t>(t[k])]; };
      const Vector3d a = at(0), b = at(1), c = at(2), n = (b - a).cross(c - a);
      if (n.norm() > 0.0) triangles_.push_back(triangle_part(a, b, c, n.stableNormalized()));
    }
  }
  split(0, static_cast<int>(triangles_.size()));
}

void Shell::split(int first, int count) {
  const auto begin = triangles_.begin() + first, end = begin + count;
  Eigen::AlignedBox3d box;
  for (auto t = begin; t != end; ++t) {
    for (const Vector3d& p : t->points) box.extend(p);
  }
  if (count > kClusterSize) {
    Eigen::Index axis = 0;
    box.sizes().maxCoeff(&axis);
    std::nth_element(begin, begin + count / 2, end, [&](const ConvexPart& a, const ConvexPart& b) {
      return middle_of(a)[axis] < middle_of(b)[axis];
    });
    split(first, count / 2);
    split(first + count / 2, count - count / 2);
    return;
  }
  if (count > 0) clusters_.push_back({box.center(), 0.5 * box.diagonal().norm(), first, count});
}

double Shell::rows_of(const Cluster& cluster, std::size_t part, const math::Pose& X_WO, double range,
                      std::vector<const ConvexPart*>& near) const {
  const MovedPart& scene = scene_[part];
  double least = std::numeric_limits<double>::infinity();
  for (int t = cluster.first; t < cluster.first + cluster.count; ++t) {
    const ConvexPart& triangle = triangles_[static_cast<std::size_t>(t)];
    const Vector3d p[3] = {X_WO * triangle.points[0], X_WO * triangle.points[1], X_WO * triangle.points[2]};
    double gap = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < scene.normals_W.size(); ++k) {
      const Vector3d& n = scene.normals_W[k];
      gap = std::max(gap, std::min({n.dot(p[0]), n.dot(p[1]), n.dot(p[2])}) - levels_[part][k]);
    }
    const Vector3d n = X_WO.q() * triangle.face_normals.front();
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vector3d& x : scene.points_W) {
      low = std::min(low, n.dot(x));
      high = std::max(high, n.dot(x));
    }
    gap = std::max({gap, low - n.dot(p[0]), n.dot(p[0]) - high});
    if (gap > range) {
      least = std::min(least, gap);
    } else {
      near.push_back(&triangle);
    }
  }
  return least;
}

double Shell::rows(const math::Pose& X_WO, const Vector3d& centre, double range,
                   std::vector<GapRow>& rows) const {
  double least = std::numeric_limits<double>::infinity();
  std::vector<const ConvexPart*> near;
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    const Vector3d middle = X_WO * clusters_[c].middle;
    for (std::size_t part = 0; part < scene_.size(); ++part) {
      const double apart = std::sqrt(scene_[part].box.squaredExteriorDistance(middle)) - clusters_[c].radius;
      if (apart > range) {
        least = std::min(least, apart);
        continue;
      }
      near.clear();
      least = std::min(least, rows_of(clusters_[c], part, X_WO, range, near));
      const int pair = static_cast<int>(part * clusters_.size() + c);
      for (const ConvexPart* triangle : near)
        least =
            std::min(least, gap_rows(scene_[part], moved_part(*triangle, X_WO), centre, range, pair, rows));
    }
  }
  make_unique(rows);
  return least;
}

}  // namespace prehend::placement
