// prehend.geometry: rays, distances and samples.
#include <nanobind/stl/tuple.h>

#include "bindings.h"
#include <prehend/geometry/proximity.h>
#include <prehend/geometry/sampling.h>
#include <prehend/geometry/triangle_tree.h>

namespace prehend::python {
namespace {

using Eigen::Vector3d;
using geometry::TriangleMesh;

void bind_tree(nb::module_& m) {
  using geometry::ClosestPoint;
  using geometry::Ray;
  using geometry::RayHit;
  using geometry::TriangleTree;
  nb::class_<RayHit>(m, "RayHit", "Where a ray meets the mesh.")
      .def_ro("triangle", &RayHit::triangle)
      .def_ro("t", &RayHit::t, "point = origin + t direction")
      .def_ro("point", &RayHit::point, "[m]")
      .def_ro("barycentric", &RayHit::barycentric)
      .def_ro("from_outside", &RayHit::from_outside);
  nb::class_<ClosestPoint>(m, "ClosestPoint", "The nearest point of a mesh.")
      .def_ro("triangle", &ClosestPoint::triangle)
      .def_ro("point", &ClosestPoint::point, "[m]")
      .def_ro("barycentric", &ClosestPoint::barycentric)
      .def_ro("distance", &ClosestPoint::distance, "[m]; negative inside where the query is signed");
  nb::class_<TriangleTree>(m, "TriangleTree",
                           R"(Rays, closest points, signed distance and interior test on one mesh.

>>> from prehend.geometry import TriangleTree, make_box
>>> tree = TriangleTree(make_box([2, 2, 2]))
>>> hit = tree.closest_hit([0, 0, 5], [0, 0, -1])
>>> hit.t, tree.contains([0, 0, 0]), tree.signed_distance([0, 0, 0]).distance
(4.0, True, -1.0)
)")
      .def(nb::init<const TriangleMesh&>(), "mesh"_a, Released())
      .def(
          "closest_hit",
          [](const TriangleTree& tree, const Vector3d& origin, const Vector3d& direction) {
            return tree.closest_hit(Ray{origin, direction});
          },
          "origin"_a, "direction"_a, "The first hit along the ray, or None.")
      .def(
          "all_hits",
          [](const TriangleTree& tree, const Vector3d& origin, const Vector3d& direction) {
            return tree.all_hits(Ray{origin, direction});
          },
          "origin"_a, "direction"_a)
      .def("closest_point", &TriangleTree::closest_point, "p"_a)
      .def("signed_distance", &TriangleTree::signed_distance, "p"_a)
      .def("contains", &TriangleTree::contains, "p"_a)
      .def("winding_number", &TriangleTree::winding_number, "p"_a)
      .def(
          "signed_distances",
          [](const TriangleTree& tree, const std::vector<Vector3d>& points) {
            std::vector<double> distances;
            distances.reserve(points.size());
            for (const Vector3d& p : points) distances.push_back(tree.signed_distance(p).distance);
            return distances;
          },
          "points"_a, Released(), "One per row of points (n, 3), [m].")
      .def("__len__", &TriangleTree::size);
}

void bind_distance(nb::module_& m) {
  using geometry::Proximity;
  using geometry::ProximityShape;
  nb::class_<ProximityShape>(m, "ProximityShape", "A mesh made ready for distance queries.")
      .def(nb::init<const TriangleMesh&>(), "mesh"_a, Released())
      .def_prop_ro("is_convex", &ProximityShape::is_convex);
  auto result = nb::class_<Proximity>(m, "Proximity", "Distance of two bodies, or how deep they overlap.");
  result
      .def_prop_ro(
          "status", [](const Proximity& r) { return to_string(r.status); }, "'apart' or 'overlapping'")
      .def_ro("distance", &Proximity::distance, "[m]; negative: depth")
      .def_ro("depth_upper", &Proximity::depth_upper, "[m]")
      .def_ro("p_WA", &Proximity::p_WA, "[m] the point of a")
      .def_ro("p_WB", &Proximity::p_WB, "[m] the point of b")
      .def_ro("n_W", &Proximity::n_W, "unit, from a to b")
      .def("brief_report", &Proximity::brief_report);
  def_result(result);
  m.def("proximity", &geometry::proximity, "a"_a, "X_WA"_a, "b"_a, "X_WB"_a, Released(),
        R"(Distance or penetration of two posed, closed meshes.

>>> from prehend import Pose
>>> from prehend.geometry import ProximityShape, make_box, proximity
>>> box = ProximityShape(make_box([1, 1, 1]))
>>> answer = proximity(box, Pose(), box, Pose.translation([3, 0, 0]))
>>> answer.status, round(answer.distance, 12)
('apart', 2.0)
)");
  m.def("overlaps", &geometry::overlaps, "a"_a, "X_WA"_a, "b"_a, "X_WB"_a, Released(),
        R"(Whether the bodies share a point; cheaper than the distance.

>>> import prehend
>>> from prehend import geometry
>>> box = geometry.ProximityShape(geometry.make_box([1, 1, 1]))
>>> geometry.overlaps(box, prehend.Pose(), box, prehend.Pose.translation([0.9, 0, 0]))
True
)");
}

// (points, normals, triangles) as arrays.
using SampleArrays = std::tuple<std::vector<Vector3d>, std::vector<Vector3d>, std::vector<int>>;
SampleArrays arrays(const std::vector<geometry::SurfaceSample>& samples) {
  SampleArrays out;
  for (const geometry::SurfaceSample& sample : samples) {
    std::get<0>(out).push_back(sample.point);
    std::get<1>(out).push_back(sample.normal);
    std::get<2>(out).push_back(sample.triangle);
  }
  return out;
}

void bind_sampling(nb::module_& m) {
  m.def(
      "sample_surface",
      [](const TriangleMesh& mesh, int count, std::uint64_t seed) {
        math::RandomStream random(seed);
        return arrays(geometry::sample_surface(mesh, count, random));
      },
      "mesh"_a, "count"_a, "seed"_a, Released(),
      R"(Points uniform by area: points (n, 3) [m], outward normals (n, 3), triangle indices (n,).

>>> from prehend.geometry import make_box, sample_surface
>>> points, normals, triangles = sample_surface(make_box([1, 1, 1]), 100, seed=1)
>>> points.shape, float(abs(points).max())
((100, 3), 0.5)
)");
  m.def(
      "poisson_disc_surface",
      [](const TriangleMesh& mesh, double radius, std::uint64_t seed) {
        math::RandomStream random(seed);
        return arrays(geometry::poisson_disc_surface(mesh, radius, random));
      },
      "mesh"_a, "radius"_a, "seed"_a, Released(),
      R"(Points no two of which are closer than `radius` [m]; arrays as of sample_surface().

>>> import numpy as np
>>> from prehend import geometry
>>> points, _, _ = geometry.poisson_disc_surface(geometry.make_box([1, 1, 1]), 0.2, seed=1)
>>> bool(np.linalg.norm(points[0] - points[1:], axis=1).min() >= 0.2)
True
)");
  m.def(
      "farthest_point_sampling",
      [](const std::vector<Vector3d>& points, int count, int start) {
        return geometry::farthest_point_sampling(points, count, start);
      },
      "points"_a, "count"_a, "start"_a = 0, Released(),
      R"(Indices of `count` points, each next one farthest from those chosen.

>>> from prehend import geometry
>>> geometry.farthest_point_sampling([[0, 0, 0], [1, 0, 0], [5, 0, 0]], 2).tolist()
[0, 2]
)");
  m.def(
      "sample_interior",
      [](const geometry::TriangleTree& solid, int count, std::uint64_t seed) {
        math::RandomStream random(seed);
        geometry::InteriorSamples samples = geometry::sample_interior(solid, count, random);
        if (!samples.is_complete) {
          throw std::runtime_error("sample_interior: found " + std::to_string(samples.points.size()) +
                                   " of " + std::to_string(count) +
                                   " points; the solid fills too little of its box");
        }
        return std::move(samples.points);
      },
      "solid"_a, "count"_a, "seed"_a, Released(),
      R"(Points uniform in the volume of a TriangleTree's mesh, (n, 3) [m].

>>> from prehend import geometry
>>> points = geometry.sample_interior(geometry.TriangleTree(geometry.make_box([2, 2, 2])), 100, seed=1)
>>> points.shape, bool(abs(points).max() < 1)
((100, 3), True)
)");
  m.def("grid_interior", &geometry::grid_interior, "solid"_a, "spacing"_a, Released(),
        R"(The points of a cubic grid, centred on the bounding box, that lie inside, (n, 3) [m].

>>> from prehend import geometry
>>> geometry.grid_interior(geometry.TriangleTree(geometry.make_box([1, 1, 1])), 0.4).shape[1]
3
)");
}

}  // namespace

void bind_proximity(nb::module_& m) {
  bind_tree(m);
  bind_distance(m);
  bind_sampling(m);
}

}  // namespace prehend::python
