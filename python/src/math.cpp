// prehend.math: poses, rotations, twists and wrenches, inertia, seeded random numbers.
#include <nanobind/operators.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include "bindings.h"
#include <prehend/math/inertia.h>
#include <prehend/math/pose.h>
#include <prehend/math/random.h>
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>
#include <prehend/math/spatial.h>

namespace prehend::python {
namespace {

using Points = std::vector<Eigen::Vector3d>;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using math::Pose;
using math::SpatialInertia;
using math::Twist;
using math::Vector6d;
using math::Wrench;

std::string numbers(const double* values, int count) {
  std::string line = "[";
  for (int i = 0; i < count; ++i) {
    char one[32];
    std::snprintf(one, sizeof one, i ? ", %.6g" : "%.6g", values[i]);
    line += one;
  }
  return line + "]";
}

void bind_pose(nb::module_& m) {
  nb::class_<Pose>(m, "Pose",
                   R"(Where frame B stands in frame A: X_AB. Position in metres, unit quaternion (w, x, y, z).

X_AB * X_BC composes, X_AB * p_B maps one point (3,) or many (n, 3) from B to A.

>>> import prehend
>>> X = prehend.Pose([0.5, 0.5, 0.5, 0.5], [1, 0, 0])   # x -> y -> z -> x, then one metre along x
>>> (X * [1, 0, 0]).tolist()
[1.0, 1.0, 0.0]
>>> (X.inverse() * X).is_approx(prehend.Pose(), 1e-12)
True
)")
      .def(nb::init<>(), "The identity.")
      .def(nb::init<const Quaterniond&, const Vector3d&>(), "q"_a, "p"_a = nb::make_tuple(0.0, 0.0, 0.0),
           "From a unit quaternion (w, x, y, z) and a position [m].")
      .def(nb::init<const Matrix3d&, const Vector3d&>(), "R"_a, "p"_a = nb::make_tuple(0.0, 0.0, 0.0),
           "From a rotation matrix and a position [m].")
      .def_static("identity", &Pose::identity)
      .def_static("translation", &Pose::translation, "p"_a)
      .def_static("rotation", &Pose::rotation, "q"_a)
      .def_prop_ro(
          "p", [](const Pose& X) { return Vector3d(X.p()); }, "Position [m].")
      .def_prop_ro(
          "q", [](const Pose& X) { return Quaterniond(X.q()); }, "Unit quaternion (w, x, y, z).")
      .def_prop_ro("R", &Pose::R, "Rotation matrix.")
      .def("matrix", &Pose::matrix, "Homogeneous 4x4 matrix.")
      .def("inverse", &Pose::inverse, "X_BA of X_AB.")
      .def("is_approx", &Pose::is_approx, "other"_a, "tolerance"_a)
      .def(
          "__mul__", [](const Pose& a, const Pose& b) { return a * b; }, nb::is_operator())
      .def(
          "__mul__",
          [](const Pose& a, std::variant<Vector3d, Points> points) {
            if (auto* one = std::get_if<Vector3d>(&points)) {
              *one = a * *one;
            } else {
              for (Vector3d& p : std::get<Points>(points)) p = a * p;
            }
            return points;
          },
          nb::is_operator())
      .def("__getstate__", [](const Pose& X) { return std::make_pair(Quaterniond(X.q()), Vector3d(X.p())); })
      .def("__setstate__",
           [](Pose& X, const std::pair<Quaterniond, Vector3d>& state) {
             new (&X) Pose(state.first, state.second);
           })
      .def("__repr__", [](const Pose& X) {
        const double q[4] = {X.q().w(), X.q().x(), X.q().y(), X.q().z()};
        return "Pose(q=" + numbers(q, 4) + ", p=" + numbers(X.p().data(), 3) + ")";
      });
}

void bind_lie(nb::module_& m) {
  m.def("skew", &math::skew, "a"_a, "Cross-product matrix: skew(a) @ b = a x b.");
  m.def("vee", &math::vee, "a"_a, "The vector of a skew-symmetric matrix.");
  m.def("exp_so3", &math::exp_so3, "w"_a,
        "Rotation by the rotation vector w [rad], as a quaternion (w, x, y, z).");
  m.def("log_so3", nb::overload_cast<const Quaterniond&>(&math::log_so3), "q"_a,
        "Rotation vector [rad], angle in [0, pi].");
  m.def("log_so3", nb::overload_cast<const Matrix3d&>(&math::log_so3), "R"_a);
  m.def("left_jacobian_so3", &math::left_jacobian_so3, "w"_a);
  m.def("right_jacobian_so3", &math::right_jacobian_so3, "w"_a);
  m.def("inverse_left_jacobian_so3", &math::inverse_left_jacobian_so3, "w"_a);
  m.def("inverse_right_jacobian_so3", &math::inverse_right_jacobian_so3, "w"_a);
  m.def("nearest_rotation", &math::nearest_rotation, "M"_a,
        "The rotation nearest to M in the Frobenius norm.");

  m.def("exp_se3", &math::exp_se3, "V"_a,
        R"(The motion of a body that keeps the body-fixed twist V = [w; v] for unit time.

>>> from prehend import math
>>> math.exp_se3([0, 0, 0, 1, 2, 3]).p.tolist()
[1.0, 2.0, 3.0]
)");
  m.def("log_se3", &math::log_se3, "X"_a, R"(The twist [w; v] whose exponential is X.

>>> import prehend
>>> prehend.math.log_se3(prehend.Pose.translation([1, 2, 3])).tolist()
[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]
)");
  m.def("adjoint", &math::adjoint, "X_AB"_a, "V_A = adjoint(X_AB) @ V_B; angular part first.");
  m.def("lie_bracket", &math::lie_bracket, "V"_a);
  m.def("left_jacobian_se3", &math::left_jacobian_se3, "V"_a,
        "exp(J_l(V) dV) exp(V) = exp(V + dV) to first order.");
  m.def("right_jacobian_se3", &math::right_jacobian_se3, "V"_a);
  m.def("inverse_left_jacobian_se3", &math::inverse_left_jacobian_se3, "V"_a);
  m.def("inverse_right_jacobian_se3", &math::inverse_right_jacobian_se3, "V"_a);
  m.def("interpolate", nb::overload_cast<const Pose&, const Pose&, double>(&math::interpolate), "a"_a, "b"_a,
        "t"_a,
        R"(The screw motion from a to b; t = 0 gives a, t = 1 gives b.

>>> import prehend
>>> prehend.math.interpolate(prehend.Pose(), prehend.Pose.translation([2, 0, 0]), 0.5).p.tolist()
[1.0, 0.0, 0.0]
)");
  m.def("interpolate_decoupled", &math::interpolate_decoupled, "a"_a, "b"_a, "t"_a,
        "Straight line for the origin, great circle for the orientation.");
  m.def(
      "mean_pose",
      [](const std::vector<Pose>& poses, const std::vector<double>& weights) {
        return math::mean_pose(poses, weights);
      },
      "poses"_a, "weights"_a = nb::make_tuple(), "Bi-invariant mean; None where it does not exist.");
  m.def("wrench_adjoint", &math::wrench_adjoint, "X_AB"_a, "F_A = wrench_adjoint(X_AB) @ F_B; moment first.");
}

void bind_spatial(nb::module_& m) {
  nb::class_<Twist>(m, "Twist", "Velocity of a body: angular [rad/s], linear [m/s] of one of its points.")
      .def(
          "__init__", [](Twist* t, const Vector3d& w, const Vector3d& v) { new (t) Twist{w, v}; },
          "angular"_a = nb::make_tuple(0.0, 0.0, 0.0), "linear"_a = nb::make_tuple(0.0, 0.0, 0.0))
      .def_rw("angular", &Twist::angular)
      .def_rw("linear", &Twist::linear)
      .def_static("from_vector", &Twist::from_vector, "V"_a)
      .def("vector", &Twist::vector, "[angular; linear].")
      .def("at", &Twist::at, "p_PQ"_a, "The same motion, told by the velocity of another point.")
      .def("expressed", &Twist::expressed, "R_FE"_a)
      .def("__repr__", [](const Twist& t) {
        return "Twist(angular=" + numbers(t.angular.data(), 3) + ", linear=" + numbers(t.linear.data(), 3) +
               ")";
      });
  nb::class_<Wrench>(m, "Wrench", R"(Moment [N m] about a point, and force [N].

>>> from prehend.math import Wrench
>>> Wrench.from_force([0, 10, 0], [0.5, 0, 0]).moment.tolist()   # 10 N along y, half a metre along x
[0.0, 0.0, 5.0]
)")
      .def(
          "__init__",
          [](Wrench* f, const Vector3d& moment, const Vector3d& force) { new (f) Wrench{moment, force}; },
          "moment"_a = nb::make_tuple(0.0, 0.0, 0.0), "force"_a = nb::make_tuple(0.0, 0.0, 0.0))
      .def_rw("moment", &Wrench::moment)
      .def_rw("force", &Wrench::force)
      .def_static("from_vector", &Wrench::from_vector, "F"_a)
      .def_static("from_force", &Wrench::from_force, "force"_a, "p_PQ"_a)
      .def("vector", &Wrench::vector, "[moment; force].")
      .def("at", &Wrench::at, "p_PQ"_a, "The same wrench, moment about Q.")
      .def("expressed", &Wrench::expressed, "R_FE"_a)
      .def("__add__", &Wrench::operator+, nb::is_operator())
      .def("__neg__", [](const Wrench& f) { return -f; })
      .def("__repr__", [](const Wrench& f) {
        return "Wrench(moment=" + numbers(f.moment.data(), 3) + ", force=" + numbers(f.force.data(), 3) + ")";
      });
  m.def("power", &math::power, "F"_a, "V"_a,
        "Power [W] of a wrench and a twist at the same point and in the same axes.");
}

void bind_inertia(nb::module_& m) {
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
        return "SpatialInertia(mass=" + numbers(&I.mass, 1).substr(1, numbers(&I.mass, 1).size() - 2) +
               ", com=" + numbers(I.com.data(), 3) + ")";
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

void bind_math(nb::module_& m) {
  bind_pose(m);
  bind_lie(m);
  bind_spatial(m);
  bind_inertia(m);
  bind_random(m);
}

}  // namespace prehend::python
