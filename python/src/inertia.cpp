// prehend.math: inertia of rigid bodies, seeded random numbers.
#include <nanobind/stl/tuple.h>

#include "bindings.h"
#include <prehend/math/inertia.h>
#include <prehend/math/random.h>

namespace prehend::python {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::SpatialInertia;

void bind_spatial_inertia(nb::module_& m) {
  nb::class_<SpatialInertia>(m, "SpatialInertia",
                             R"(Mass [kg], centre of mass [m], rotational inertia about it [kg m^2].

>>> from prehend.math import SpatialInertia
>>> box = SpatialInertia.solid_box(12.0, [1, 2, 3])
>>> box.I_com.diagonal().tolist()
[13.0, 10.0, 5.0]
>>> round((box + box).mass)
24
)")
      .def(
          "__init__",
          [](SpatialInertia* I, double mass, const Vector3d& com, const Matrix3d& I_com) {
            new (I) SpatialInertia{mass, com, I_com};
          },
          "mass"_a, "com"_a, "I_com"_a)
      .def_rw("mass", &SpatialInertia::mass, "[kg]")
      .def_rw("com", &SpatialInertia::com, "[m]")
      .def_rw("I_com", &SpatialInertia::I_com, "[kg m^2] about the centre of mass")
      .def_static("point_mass", &SpatialInertia::point_mass, "mass"_a, "position"_a)
      .def_static("solid_box", &SpatialInertia::solid_box, "mass"_a, "full_size"_a)
      .def_static("solid_sphere", &SpatialInertia::solid_sphere, "mass"_a, "radius"_a)
      .def_static("solid_cylinder", &SpatialInertia::solid_cylinder, "mass"_a, "radius"_a, "length"_a)
      .def_static("solid_capsule", &SpatialInertia::solid_capsule, "mass"_a, "radius"_a, "length"_a)
      .def_static("solid_ellipsoid", &SpatialInertia::solid_ellipsoid, "mass"_a, "radii"_a)
      .def_static("from_parameters", &SpatialInertia::from_parameters, "phi"_a)
      .def_static("from_pseudo_inertia", &SpatialInertia::from_pseudo_inertia, "J"_a)
      .def("inertia_about", &SpatialInertia::inertia_about, "point"_a)
      .def("parameters", &SpatialInertia::parameters,
           "[m, m c, I_xx, I_xy, I_xz, I_yy, I_yz, I_zz], I about the origin.")
      .def("pseudo_inertia", &SpatialInertia::pseudo_inertia)
      .def("spatial_matrix", &SpatialInertia::spatial_matrix)
      .def("expressed_in", &SpatialInertia::expressed_in, "X_AF"_a)
      .def("kinetic_energy", &SpatialInertia::kinetic_energy, "V_F"_a, "[J]")
      .def(
          "__add__", [](const SpatialInertia& a, const SpatialInertia& b) { return a + b; },
          nb::is_operator())
      .def("__getstate__", [](const SpatialInertia& I) { return std::make_tuple(I.mass, I.com, I.I_com); })
      .def("__setstate__",
           [](SpatialInertia& I, const std::tuple<double, Vector3d, Matrix3d>& s) {
             new (&I) SpatialInertia{std::get<0>(s), std::get<1>(s), std::get<2>(s)};
           })
      .def("__repr__", [](const SpatialInertia& I) {
        char line[128];
        std::snprintf(line, sizeof line, "SpatialInertia(mass=%.6g, com=[%.6g, %.6g, %.6g])", I.mass,
                      I.com.x(), I.com.y(), I.com.z());
        return std::string(line);
      });

  auto report =
      nb::class_<math::ConsistencyReport>(m, "ConsistencyReport", "What keeps a body from being physical.");
  report.def_prop_ro("is_consistent", &math::ConsistencyReport::is_consistent)
      .def_ro("mass", &math::ConsistencyReport::mass, "[kg]")
      .def_ro("principal_moments", &math::ConsistencyReport::principal_moments, "[kg m^2] ascending")
      .def_ro("smallest_pseudo_eigenvalue", &math::ConsistencyReport::smallest_pseudo_eigenvalue);
  def_texts(report, "problems", &math::ConsistencyReport::problems, "One sentence each; empty: consistent.");
  report.def("brief_report", &math::ConsistencyReport::brief_report);
  def_result(report);
  m.def("check_consistency", &math::check_consistency, "inertia"_a, "tolerance"_a = 1e-9,
        R"(Can a body with this inertia exist? (positive mass, triangle inequality, positive definite)

>>> from prehend.math import SpatialInertia, check_consistency
>>> check_consistency(SpatialInertia.solid_sphere(1.0, 0.1)).is_consistent
True
>>> check_consistency(SpatialInertia(1.0, [0, 0, 0], [[1, 0, 0], [0, 1, 0], [0, 0, 3]])).is_consistent
False
)");
}

void bind_random(nb::module_& m) {
  using math::RandomStream;
  nb::class_<RandomStream>(m, "RandomStream",
                           R"(Seeded random numbers: the same seed and task give the same numbers everywhere.

>>> from prehend.math import RandomStream
>>> RandomStream(7).uniform() == RandomStream(7).uniform()
True
)")
      .def(nb::init<std::uint64_t, std::uint64_t>(), "seed"_a, "task"_a = 0)
      .def("split", &RandomStream::split, "task"_a,
           "A further independent stream; does not advance this one.")
      .def("uniform", nb::overload_cast<>(&RandomStream::uniform), "Uniform in [0, 1).")
      .def("uniform", nb::overload_cast<double, double>(&RandomStream::uniform), "low"_a, "high"_a)
      .def("below", &RandomStream::below, "count"_a)
      .def("normal", &RandomStream::normal)
      .def("unit_vector", &RandomStream::unit_vector)
      .def("rotation", &RandomStream::rotation, "Uniform over SO(3), as a quaternion (w, x, y, z).");
}

}  // namespace

void bind_inertia(nb::module_& m) {
  bind_spatial_inertia(m);
  bind_random(m);
}

}  // namespace prehend::python
