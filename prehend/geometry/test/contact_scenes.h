// Shapes and scenes for contact tests, and the check that a scene gives the same answer wherever and however
// large it stands.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/geometry/contact.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/random.h>

namespace prehend::geometry {

struct Scene {
  std::vector<TriangleMesh> meshes;
  std::vector<math::Pose> poses;
  std::vector<int> bodies;
  ContactOptions options;

  void add(const TriangleMesh& mesh, const math::Pose& X_WB = {}, int body = -1) {
    meshes.push_back(mesh);
    poses.push_back(X_WB);
    bodies.push_back(body >= 0 ? body : static_cast<int>(bodies.size()));
  }
  ContactResult contacts() const {
    std::vector<Polyhedron> shapes;
    shapes.reserve(meshes.size());
    std::vector<PosedPolyhedron> posed;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      shapes.push_back(Polyhedron::from_mesh(meshes[i]));
      posed.push_back({&shapes.back(), poses[i], ContactBodyIndex(bodies[i])});
    }
    return find_contacts(posed, options);
  }
};

inline TriangleMesh box_at(const Eigen::Vector3d& low, const Eigen::Vector3d& high) {
  return transformed(make_box(high - low), math::Pose::translation(0.5 * (low + high)));
}

// Solid made of the cells of a grid that `filled` names, as a soup; x, y, z are the grid lines.
inline TriangleMesh grid_solid(const std::vector<double>& x, const std::vector<double>& y,
                               const std::vector<double>& z,
                               const std::function<bool(int, int, int)>& filled) {
  const std::array<const std::vector<double>*, 3> lines{&x, &y, &z};
  const auto is_filled = [&](const std::array<int, 3>& c) {
    for (int k = 0; k < 3; ++k) {
      if (c[k] < 0 || c[k] + 1 >= static_cast<int>(lines[k]->size())) return false;
    }
    return filled(c[0], c[1], c[2]);
  };
  TriangleMesh soup;
  for (int i = 0; i + 1 < static_cast<int>(x.size()); ++i) {
    for (int j = 0; j + 1 < static_cast<int>(y.size()); ++j) {
      for (int k = 0; k + 1 < static_cast<int>(z.size()); ++k) {
        const std::array<int, 3> cell{i, j, k};
        if (!is_filled(cell)) continue;
        for (int axis = 0; axis < 3; ++axis) {
          for (int side = 0; side < 2; ++side) {
            std::array<int, 3> neighbour = cell;
            neighbour[axis] += side == 1 ? 1 : -1;
            if (is_filled(neighbour)) continue;
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            const int n = static_cast<int>(soup.vertices.size());
            for (const auto& [du, dv] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
              Eigen::Vector3d p;
              p[axis] = (*lines[axis])[cell[axis] + side];
              p[u] = (*lines[u])[cell[u] + du];
              p[v] = (*lines[v])[cell[v] + dv];
              soup.vertices.push_back(p);
            }
            const int first = side == 1 ? 1 : 2, second = side == 1 ? 2 : 1;
            soup.triangles.emplace_back(n, n + first, n + second);
            soup.triangles.emplace_back(n, n + first + 1, n + second + 1);
          }
        }
      }
    }
  }
  return soup;
}

// Triangular or other convex profile in the xz plane (counter-clockwise seen from -y), swept from y0 to y1.
inline TriangleMesh prism(const std::vector<Eigen::Vector2d>& profile, double y0, double y1) {
  TriangleMesh mesh;
  const int n = static_cast<int>(profile.size());
  for (const double y : {y0, y1}) {
    for (const Eigen::Vector2d& p : profile) mesh.vertices.emplace_back(p.x(), y, p.y());
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh.triangles.emplace_back(i, n + j, j);
    mesh.triangles.emplace_back(i, n + i, n + j);
    if (i > 0 && j > 0) {
      mesh.triangles.emplace_back(0, i, j);
      mesh.triangles.emplace_back(n, n + j, n + i);
    }
  }
  return mesh;
}

// Two interfaces say the same, the second in a world that is turned, scaled and moved.
inline bool same_interface(const ContactInterface& reference, const ContactInterface& other,
                           const math::Pose& X, double scale, double sign) {
  if (reference.kind != other.kind || reference.points_W.size() != other.points_W.size()) return false;
  if (reference.hull.size() != other.hull.size() || reference.loops_W.size() != other.loops_W.size())
    return false;
  if ((sign * (X.R() * reference.n_W) - other.n_W).norm() > 1e-9) return false;
  if (std::abs(other.area_m2 - scale * scale * reference.area_m2) > 1e-9 * scale * scale * reference.area_m2)
    return false;
  for (const Eigen::Vector3d& p : reference.points_W) {
    double best = 1e300;
    for (const Eigen::Vector3d& q : other.points_W) best = std::min(best, (X * (scale * p) - q).norm());
    if (best > 1e-8 * scale) return false;
  }
  return true;
}

inline void expect_same(const ContactResult& reference, const ContactResult& other, const math::Pose& X,
                        double scale, bool swapped, const std::string& what) {
  ASSERT_EQ(other.interfaces.size(), reference.interfaces.size()) << what;
  EXPECT_EQ(other.penetrations.size(), reference.penetrations.size()) << what;
  std::vector<char> used(other.interfaces.size(), 0);
  for (const ContactInterface& wanted : reference.interfaces) {
    bool found = false;
    for (std::size_t i = 0; i < other.interfaces.size() && !found; ++i) {
      const ContactInterface& here = other.interfaces[i];
      const int last = 1000;
      const int a = swapped ? last - here.body_b.value() : here.body_a.value();
      const int b = swapped ? last - here.body_a.value() : here.body_b.value();
      if (used[i] || a != wanted.body_a.value() || b != wanted.body_b.value()) continue;
      found = same_interface(wanted, here, X, scale, swapped ? -1.0 : 1.0);
      if (found) used[i] = 1;
    }
    EXPECT_TRUE(found) << what << ": no match for the interface of " << wanted.body_a.value() << " and "
                       << wanted.body_b.value() << " with area " << wanted.area_m2 << ", normal "
                       << wanted.n_W.transpose();
  }
}

// Contacts of the scene, after checking that they stay the same when it is turned, scaled by 0.001 and 1000
// (with the tolerance), moved far away, with the poses baked into the meshes, and with the bodies in the
// opposite order.
inline ContactResult robust_contacts(const Scene& scene, std::uint64_t seed = 1) {
  const ContactResult reference = scene.contacts();
  EXPECT_EQ(reference.status, ContactStatus::ok);
  for (int trial = 0; trial < 12; ++trial) {
    math::RandomStream random(seed, trial);
    const double scale = std::array{1.0, 0.001, 1000.0}[trial % 3];
    const double far = trial % 2 == 0 ? 1.0 : 1e4;
    const math::Pose X(trial < 3 ? Eigen::Quaterniond::Identity() : random.rotation(),
                       far * scale * random.unit_vector());
    const bool baked = trial % 4 == 3, swapped = trial % 5 == 4;
    Scene moved;
    moved.options = scene.options;
    moved.options.gap_tolerance *= scale;
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
      const TriangleMesh mesh = scaled(scene.meshes[i], Eigen::Vector3d::Constant(scale));
      const math::Pose pose = X * math::Pose(scene.poses[i].q(), scale * scene.poses[i].p());
      const int body = swapped ? 1000 - scene.bodies[i] : scene.bodies[i];
      moved.add(baked ? transformed(mesh, pose) : mesh, baked ? math::Pose{} : pose, body);
    }
    expect_same(reference, moved.contacts(), X, scale, swapped,
                "trial " + std::to_string(trial) + (baked ? " baked" : "") + (swapped ? " swapped" : ""));
  }
  return reference;
}

}  // namespace prehend::geometry
