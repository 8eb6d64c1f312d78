#include <cmath>
#include <stdexcept>

#include <prehend/geometry/polygon2.h>
#include <prehend/geometry/sampling.h>
#include <prehend/stability/interface_points.h>
#include <prehend/stability/surface_pushes.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

// A face where a body is covered by another.
class Cover {
 public:
  explicit Cover(const model::SceneInterface& found)
      : a_(found.body_a), b_(found.body_b), frame_(contact_frame(found.patch.n_W)) {
    origin_ = found.patch.points_W.front();
    // Wide enough for both of two surfaces that touch across a gap.
    reach_ = 1e-9 + 0.51 * std::max(std::abs(found.patch.gap_min_m), std::abs(found.patch.gap_max_m));
    for (const auto& loop : found.patch.loops_W) {
      geometry::Loop2& flat = polygon_.loops.emplace_back();
      for (const Vector3d& p : loop) flat.push_back((frame_.transpose() * (p - origin_)).head<2>());
    }
  }

  bool covers(model::BodyIndex body, const Vector3d& p_W, const Vector3d& n_W) const {
    if ((body != a_ && body != b_) || polygon_.is_empty()) return false;
    const Vector3d x = frame_.transpose() * (p_W - origin_);
    return std::abs(x.z()) <= reach_ && std::abs(n_W.dot(frame_.col(2))) > 0.9 &&
           geometry::contains(polygon_, x.head<2>());
  }

 private:
  model::BodyIndex a_, b_;
  Eigen::Matrix3d frame_;
  Vector3d origin_;
  geometry::Polygon2 polygon_;
  double reach_{0.0};
};

}  // namespace

std::vector<Push> surface_pushes(const model::Scene& scene, const model::SceneContacts& contacts, int count,
                                 std::uint64_t seed) {
  if (count < 0) throw std::invalid_argument("count is " + std::to_string(count) + ", must not be negative");
  geometry::TriangleMesh surface;
  std::vector<model::BodyIndex> owners;  // by triangle
  for (model::BodyIndex b(0); b < scene.bodies.size(); ++b) {
    if (!scene.bodies[b].movable) continue;
    for (model::GeomIndex g(0); g < scene.bodies[b].geoms.size(); ++g) {
      surface = geometry::merged(surface, scene.mesh_W({b, g}));
      owners.resize(surface.triangles.size(), b);
    }
  }
  std::vector<Cover> covers(contacts.interfaces.begin(), contacts.interfaces.end());
  std::vector<Push> pushes;
  math::RandomStream random(seed);
  int rejected = 0;
  while (static_cast<int>(pushes.size()) < count) {
    const geometry::SurfaceSample sample = geometry::sample_surface(surface, 1, random).front();
    const model::BodyIndex body = owners[static_cast<std::size_t>(sample.triangle)];
    bool is_covered = false;
    for (const Cover& cover : covers)
      is_covered = is_covered || cover.covers(body, sample.point, sample.normal);
    if (!is_covered) {
      pushes.push_back({body, sample.point, -sample.normal});
    } else if (++rejected > 1000 * (count + 10)) {
      throw std::invalid_argument("no free surface to push: all of it touches something");
    }
  }
  return pushes;
}

}  // namespace prehend::stability
