#include <memory>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/geometry/polygon2.h>
#include <prehend/geometry/sampling.h>
#include <prehend/geometry/triangle_tree.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/stability/statics/interface_points.h>
#include <prehend/stability/surface_pushes.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using model::BodyIndex;

// Give up after this many draws per wanted point: less than 2 % of the surface is free.
constexpr int kDrawsPerPoint = 50;
// A point counts as hidden by a geom of its own body when this share of the body's size farther out is inside it.
constexpr double kOutward = 1e-6;

// The part of a plane that an interface covers.
struct Cover {
  BodyIndex body_a, body_b;
  Eigen::Matrix3d R_WC;
  Vector3d p_W;
  double thickness;  // [m]
  geometry::Polygon2 polygon;

  bool hides(const Vector3d& q_W) const {
    const Vector3d q = R_WC.transpose() * (q_W - p_W);
    return std::abs(q.z()) <= thickness && geometry::contains(polygon, q.head<2>());
  }
};

std::vector<Cover> covers_of(const model::SceneContacts& contacts) {
  std::vector<Cover> covers;
  for (const model::SceneInterface& interface : contacts.interfaces) {
    if (interface.patch.loops_W.empty()) continue;
    Cover cover{interface.body_a,
                interface.body_b,
                contact_frame(interface.patch.n_W),
                interface.patch.loops_W.front().front(),
                0.0,
                {}};
    // Loops lie midway between the surfaces.
    cover.thickness = std::max(std::abs(interface.patch.gap_min_m), std::abs(interface.patch.gap_max_m));
    double size = 0.0;
    for (const auto& loop_W : interface.patch.loops_W) {
      geometry::Loop2 loop;
      for (const Vector3d& p : loop_W) {
        loop.push_back((cover.R_WC.transpose() * (p - cover.p_W)).head<2>());
        size = std::max(size, loop.back().norm());
      }
      cover.polygon.loops.push_back(std::move(loop));
    }
    cover.thickness += 1e-6 * size;
    covers.push_back(std::move(cover));
  }
  return covers;
}

// All that may be pushed, as one mesh, so that points are uniform over all of it.
struct Surface {
  geometry::TriangleMesh mesh_W;
  std::vector<model::GeomRef> geom_of_triangle;
};

Surface movable_surface(const model::Scene& scene, double fixed_above) {
  Surface surface;
  const std::vector<int> groups = scene.rigid_groups();
  for (BodyIndex b(0); b < scene.bodies.size(); ++b) {
    const model::Body& body = scene.bodies[b];
    if (groups[b] == 0 || (fixed_above > 0.0 && body.inertia.mass >= fixed_above)) continue;
    for (model::GeomIndex g(0); g < body.geoms.size(); ++g) {
      surface.mesh_W = geometry::merged(surface.mesh_W, scene.mesh_W({b, g}));
      surface.geom_of_triangle.resize(surface.mesh_W.triangles.size(), {b, g});
    }
  }
  if (surface.mesh_W.triangles.empty())
    throw std::invalid_argument("nothing in the scene may move, so there is nothing to push");
  return surface;
}

class HiddenByOwnBody {
 public:
  HiddenByOwnBody(const model::Scene& scene) : scene_(scene), trees_(scene.bodies.size()) {}

  bool operator()(model::GeomRef on, const Vector3d& p_W, const Vector3d& outward) {
    const model::Body& body = scene_.bodies[on.body];
    if (body.geoms.size() < 2) return false;
    auto& trees = trees_[on.body];
    if (trees.empty()) {
      for (model::GeomIndex g(0); g < body.geoms.size(); ++g) {
        trees.push_back(std::make_unique<geometry::TriangleTree>(scene_.mesh_W({on.body, g})));
      }
    }
    for (std::size_t g = 0; g < trees.size(); ++g) {
      if (g == on.geom) continue;
      const geometry::Aabb box = trees[g]->box();
      if (trees[g]->contains(p_W + kOutward * box.diagonal() * outward)) return true;
    }
    return false;
  }

 private:
  const model::Scene& scene_;
  std::vector<std::vector<std::unique_ptr<geometry::TriangleTree>>> trees_;
};

}  // namespace

void SurfacePushOptions::validate() const {
  const math::OptionCheck check("SurfacePushOptions");
  check.between("points", points, 1, 10'000'000);
  check.at_least("fixed_above", fixed_above, 0.0, "kg");
}

std::vector<Push> surface_pushes(const model::Scene& scene, const model::SceneContacts& contacts,
                                 const SurfacePushOptions& options) {
  options.validate();
  const Surface surface = movable_surface(scene, options.fixed_above);
  const std::vector<Cover> covers = options.covered ? std::vector<Cover>() : covers_of(contacts);
  HiddenByOwnBody hidden(scene);
  const auto is_free = [&](model::GeomRef on, const geometry::SurfaceSample& sample) {
    for (const Cover& cover : covers) {
      if ((cover.body_a == on.body || cover.body_b == on.body) && cover.hides(sample.point)) return false;
    }
    return !hidden(on, sample.point, sample.normal);
  };
  math::RandomStream random(options.seed);
  std::vector<Push> pushes;
  pushes.reserve(static_cast<std::size_t>(options.points));
  const auto missing = [&] { return options.points - static_cast<int>(pushes.size()); };
  for (int round = 0; round < kDrawsPerPoint && missing() > 0; ++round) {
    math::check_interrupt();
    for (const geometry::SurfaceSample& sample :
         geometry::sample_surface(surface.mesh_W, missing(), random)) {
      const model::GeomRef on = surface.geom_of_triangle[static_cast<std::size_t>(sample.triangle)];
      if (is_free(on, sample)) pushes.push_back({on.body, sample.point, -sample.normal});
    }
  }
  if (pushes.empty()) throw std::invalid_argument("no free surface to push: all of it touches something");
  return pushes;
}

std::vector<Push> surface_pushes(const model::Scene& scene, const model::SceneContacts& contacts, int count,
                                 std::uint64_t seed) {
  SurfacePushOptions options;
  options.points = count;
  options.seed = seed;
  return surface_pushes(scene, contacts, options);
}

}  // namespace prehend::stability
