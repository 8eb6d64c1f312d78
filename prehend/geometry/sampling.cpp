#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include <Eigen/Geometry>

#include <prehend/geometry/sampling.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

// Draws points uniformly by area.
class SurfaceSampler {
 public:
  explicit SurfaceSampler(const TriangleMesh& mesh) : mesh_(mesh) {
    const auto count = static_cast<unsigned>(mesh.vertices.size());
    cumulative_.reserve(mesh.triangles.size());
    // The mesh's own size as unit: areas neither overflow nor underflow.
    const double diagonal = bounding_box(mesh.vertices).diagonal();
    unit_ = diagonal > 0.0 && std::isfinite(diagonal) ? diagonal : 1.0;
    double sum = 0.0;
    for (const Eigen::Vector3i& t : mesh.triangles) {
      for (int k = 0; k < 3; ++k) {
        if (static_cast<unsigned>(t[k]) >= count)
          refuse("surface sampling: a triangle refers to vertex " + std::to_string(t[k]) +
                 ", which does not exist");
      }
      sum += 0.5 * scaled_normal(t).norm();
      cumulative_.push_back(sum);
    }
    if (!(sum > 0.0) || !std::isfinite(sum)) refuse("surface sampling: the mesh has no area to sample");
  }

  double area() const { return cumulative_.back() * unit_ * unit_; }

  SurfaceSample draw(math::RandomStream& random) const {
    const double target = random.uniform() * cumulative_.back();
    // The first triangle whose cumulative area exceeds the target: never one without area.
    const auto at = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, target);
    SurfaceSample sample;
    sample.triangle = static_cast<int>(at - cumulative_.begin());
    const Eigen::Vector3i& t = mesh_.triangles[sample.triangle];
    const double root = std::sqrt(random.uniform()), v = random.uniform();
    sample.point = (1.0 - root) * mesh_.vertices[t[0]] + root * (1.0 - v) * mesh_.vertices[t[1]] +
                   root * v * mesh_.vertices[t[2]];
    sample.normal = scaled_normal(t).normalized();
    return sample;
  }

 private:
  Vector3d scaled_normal(const Eigen::Vector3i& t) const {
    const Vector3d &a = mesh_.vertices[t[0]], &b = mesh_.vertices[t[1]], &c = mesh_.vertices[t[2]];
    return ((b - a) / unit_).cross((c - a) / unit_);
  }

  const TriangleMesh& mesh_;
  double unit_{1.0};
  std::vector<double> cumulative_;
};

// Samples by cubic cells of one radius, each holding the few samples that fit.
class DiscGrid {
 public:
  DiscGrid(const Vector3d& origin, double radius) : origin_(origin), radius_(radius) {}

  bool has_neighbour(const Vector3d& p, const std::vector<SurfaceSample>& samples) const {
    const auto cell = cell_of(p);
    for (std::int64_t x = cell[0] - 1; x <= cell[0] + 1; ++x) {
      for (std::int64_t y = cell[1] - 1; y <= cell[1] + 1; ++y) {
        for (std::int64_t z = cell[2] - 1; z <= cell[2] + 1; ++z) {
          const auto found = cells_.find(key(x, y, z));
          if (found == cells_.end()) continue;
          for (int i : found->second) {
            if ((samples[i].point - p).squaredNorm() < radius_ * radius_) return true;
          }
        }
      }
    }
    return false;
  }
  void insert(const Vector3d& p, int sample) {
    const auto cell = cell_of(p);
    cells_[key(cell[0], cell[1], cell[2])].push_back(sample);
  }

 private:
  std::array<std::int64_t, 3> cell_of(const Vector3d& p) const {
    const Vector3d x = ((p - origin_) / radius_).array().floor();
    return {static_cast<std::int64_t>(x.x()), static_cast<std::int64_t>(x.y()),
            static_cast<std::int64_t>(x.z())};
  }
  // Unlike cells that share a key only cost a comparison of distances.
  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15ull ^
           static_cast<std::uint64_t>(y) * 0xc2b2ae3d27d4eb4full ^
           static_cast<std::uint64_t>(z) * 0x165667b19e3779f9ull;
  }
  Vector3d origin_;
  double radius_;
  std::unordered_map<std::uint64_t, std::vector<int>> cells_;
};

}  // namespace

std::vector<SurfaceSample> sample_surface(const TriangleMesh& mesh, int count, math::RandomStream& random) {
  if (count < 0) refuse("sample_surface: count = " + std::to_string(count) + ", must not be negative");
  const SurfaceSampler sampler(mesh);
  std::vector<SurfaceSample> samples;
  samples.reserve(count);
  for (int i = 0; i < count; ++i) samples.push_back(sampler.draw(random));
  return samples;
}

std::vector<int> farthest_point_sampling(const std::vector<Vector3d>& points, int count, int start) {
  const int n = static_cast<int>(points.size());
  if (count < 1 || count > n) {
    refuse("farthest_point_sampling: count = " + std::to_string(count) + ", must be in [1, " +
           std::to_string(n) + "]");
  }
  if (start < 0 || start >= n) {
    refuse("farthest_point_sampling: start = " + std::to_string(start) + ", must be in [0, " +
           std::to_string(n - 1) + "]");
  }
  std::vector<double> distance2(n, std::numeric_limits<double>::infinity());
  std::vector<int> chosen{start};
  chosen.reserve(count);
  distance2[start] = -1.0;  // below every distance: chosen once
  while (static_cast<int>(chosen.size()) < count) {
    const Vector3d last = points[chosen.back()];
    int farthest = -1;
    double best = -1.0;
    for (int i = 0; i < n; ++i) {
      if (distance2[i] < 0.0) continue;
      distance2[i] = std::min(distance2[i], (points[i] - last).squaredNorm());
      if (distance2[i] > best) {
        best = distance2[i];
        farthest = i;
      }
    }
    chosen.push_back(farthest);
    distance2[farthest] = -1.0;
  }
  return chosen;
}

std::vector<SurfaceSample> poisson_disc_surface(const TriangleMesh& mesh, double radius,
                                                math::RandomStream& random,
                                                const PoissonDiscOptions& options) {
  if (!(radius > 0.0) || !std::isfinite(radius)) {
    refuse("poisson_disc_surface: radius = " + std::to_string(radius) + ", must be positive and finite");
  }
  if (options.darts_per_sample < 1 || options.darts_per_sample > 1000) {
    refuse("PoissonDiscOptions.darts_per_sample = " + std::to_string(options.darts_per_sample) +
           ", must be in [1, 1000]");
  }
  const SurfaceSampler sampler(mesh);
  // Hexagonal packing: one sample per radius^2 sqrt(3)/2.
  const double darts =
      std::ceil(options.darts_per_sample * (1.0 + sampler.area() / radius / radius / 0.8660254037844386));
  if (darts > 5e7) {
    refuse("poisson_disc_surface: radius = " + std::to_string(radius) +
           " needs more than 50 million darts; take a larger one");
  }
  std::vector<SurfaceSample> samples;
  DiscGrid grid(bounding_box(mesh.vertices).lower, radius);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(darts); ++i) {
    const SurfaceSample dart = sampler.draw(random);
    if (grid.has_neighbour(dart.point, samples)) continue;
    grid.insert(dart.point, static_cast<int>(samples.size()));
    samples.push_back(dart);
  }
  return samples;
}

InteriorSamples sample_interior(const TriangleTree& solid, int count, math::RandomStream& random,
                                const InteriorOptions& options) {
  if (count < 0) refuse("sample_interior: count = " + std::to_string(count) + ", must not be negative");
  if (options.max_attempts_per_point < 1) {
    refuse("InteriorOptions.max_attempts_per_point = " + std::to_string(options.max_attempts_per_point) +
           ", must be at least 1");
  }
  InteriorSamples result;
  const Aabb box = solid.box();
  const std::int64_t limit = std::min<std::int64_t>(
      static_cast<std::int64_t>(count) * options.max_attempts_per_point, std::numeric_limits<int>::max());
  while (static_cast<int>(result.points.size()) < count && result.attempts < limit) {
    ++result.attempts;
    const double x = random.uniform(), y = random.uniform(), z = random.uniform();
    const Vector3d p = box.lower + Vector3d(x, y, z).cwiseProduct(box.upper - box.lower);
    if (solid.contains(p)) result.points.push_back(p);
  }
  result.is_complete = static_cast<int>(result.points.size()) == count;
  return result;
}

std::vector<Vector3d> grid_interior(const TriangleTree& solid, double spacing) {
  if (!(spacing > 0.0) || !std::isfinite(spacing)) {
    refuse("grid_interior: spacing = " + std::to_string(spacing) + ", must be positive and finite");
  }
  const Aabb box = solid.box();
  const Vector3d centre = 0.5 * (box.lower + box.upper);
  const Vector3d counts = ((box.upper - box.lower) / spacing).array().ceil().max(1.0);
  if (!(counts.prod() <= 1e8)) {
    refuse("grid_interior: spacing = " + std::to_string(spacing) +
           " gives more than 100 million points; take a larger one");
  }
  std::vector<Vector3d> points;
  const auto coordinate = [&](int i, int axis) {
    return centre[axis] + (i - 0.5 * (counts[axis] - 1.0)) * spacing;
  };
  for (int z = 0; z < static_cast<int>(counts.z()); ++z) {
    for (int y = 0; y < static_cast<int>(counts.y()); ++y) {
      for (int x = 0; x < static_cast<int>(counts.x()); ++x) {
        const Vector3d p(coordinate(x, 0), coordinate(y, 1), coordinate(z, 2));
        if (solid.contains(p)) points.push_back(p);
      }
    }
  }
  return points;
}

}  // namespace prehend::geometry
