// prehend.math: poses, rotations, twists and wrenches.
#include <nanobind/operators.h>
#include <nanobind/stl/variant.h>

#include "bindings.h"
#include <prehend/math/pose.h>
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

// Equal for equal poses: of q and -q the one whose first component that is not zero is positive.
nb::tuple hashable(const Pose& X) {
  Eigen::Vector4d q(X.q().w(), X.q().x(), X.q().y(), X.q().z());
  for (const double component : q) {
    if (component == 0.0) continue;
    if (component < 0.0) q = -q;
    break;
  }
  return nb::make_tuple(X.p().x(), X.p().y(), X.p().z(), q[0], q[1], q[2], q[3]);
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
>>> prehend.Pose(X.matrix()) == X
True
)")
      .def(nb::init<>(), "The identity.")
      .def(nb::init<const Quaterniond&, const Vector3d&>(), "q"_a, "p"_a = nb::make_tuple(0.0, 0.0, 0.0),
           "From a unit quaternion (w, x, y, z) and a position [m].")
      .def(nb::init<const Matrix3d&, const Vector3d&>(), "R"_a, "p"_a = nb::make_tuple(0.0, 0.0, 0.0),
           "From a rotation matrix and a position [m].")
      .def(
          "__init__", [](Pose* self, const Eigen::Matrix4d& X) { new (self) Pose(Pose::from_matrix(X)); },
          "X"_a, "From a homogeneous 4x4 matrix.")
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
          "__eq__", [](const Pose& a, const Pose& b) { return a == b; }, nb::is_operator(),
          "To the last bit; is_approx() compares with a tolerance.")
      .def("__hash__", [](const Pose& X) { return nb::hash(hashable(X)); })
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

void bind_rotations(nb::module_& m) {
  m.def("skew", &math::skew, "a"_a,
        R"(Cross-product matrix: skew(a) @ b = a x b.

>>> from prehend import math
>>> (math.skew([1, 0, 0]) @ [0, 1, 0]).tolist()
[0.0, 0.0, 1.0]
)");
  m.def("vee", &math::vee, "a"_a,
        R"(The vector of a skew-symmetric matrix; the symmetric part is ignored.

>>> from prehend import math
>>> math.vee(math.skew([1, 2, 3])).tolist()
[1.0, 2.0, 3.0]
)");
  m.def("exp_so3", &math::exp_so3, "w"_a,
        R"(Rotation by the rotation vector w [rad], as a quaternion (w, x, y, z).

>>> import numpy as np
>>> from prehend import math
>>> math.exp_so3([0, 0, np.pi]).round(12).tolist()
[0.0, 0.0, 0.0, 1.0]
)");
  m.def("log_so3", nb::overload_cast<const Quaterniond&>(&math::log_so3), "q"_a,
        R"(Rotation vector [rad] of a quaternion or a rotation matrix, angle in [0, pi].

>>> from prehend import math
>>> math.log_so3(math.exp_so3([0.1, 0.2, 0.3])).round(12).tolist()
[0.1, 0.2, 0.3]
)");
  m.def("log_so3", nb::overload_cast<const Matrix3d&>(&math::log_so3), "R"_a);
  m.def("nearest_rotation", &math::nearest_rotation, "M"_a,
        R"(The rotation nearest to M in the Frobenius norm; M must have rank 2 at least.

>>> import numpy as np
>>> from prehend import math
>>> math.nearest_rotation(2 * np.eye(3)).tolist()
[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
)");
  m.def("rotation_between", &math::rotation_between, "a"_a, "b"_a,
        R"(The smallest rotation that turns direction a into direction b, as a quaternion (w, x, y, z).

>>> from prehend import math
>>> math.rotation_between([1, 0, 0], [0, 2, 0]).round(3).tolist()
[0.707, 0.0, 0.0, 0.707]
)");
}

void bind_rotation_jacobians(nb::module_& m) {
  m.def("left_jacobian_so3", &math::left_jacobian_so3, "w"_a,
        R"(exp(w + dw) = exp(J_l(w) dw) exp(w) to first order.

>>> from prehend import math
>>> math.left_jacobian_so3([0, 0, 0]).tolist()
[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
)");
  m.def("right_jacobian_so3", &math::right_jacobian_so3, "w"_a,
        R"(exp(w + dw) = exp(w) exp(J_r(w) dw) to first order.

>>> import numpy as np
>>> from prehend import math
>>> bool(np.allclose(math.right_jacobian_so3([1, 2, 3]), math.left_jacobian_so3([1, 2, 3]).T))
True
)");
  m.def("inverse_left_jacobian_so3", &math::inverse_left_jacobian_so3, "w"_a,
        R"(Inverse of left_jacobian_so3(); singular at angles that are non-zero multiples of 2 pi.

>>> import numpy as np
>>> from prehend import math
>>> w = [0.1, 0.2, 0.3]
>>> bool(np.allclose(math.inverse_left_jacobian_so3(w) @ math.left_jacobian_so3(w), np.eye(3)))
True
)");
  m.def("inverse_right_jacobian_so3", &math::inverse_right_jacobian_so3, "w"_a,
        R"(Inverse of right_jacobian_so3(); singular at angles that are non-zero multiples of 2 pi.

>>> import numpy as np
>>> from prehend import math
>>> w = [0.1, 0.2, 0.3]
>>> bool(np.allclose(math.inverse_right_jacobian_so3(w) @ math.right_jacobian_so3(w), np.eye(3)))
True
)");
}

void bind_motion_jacobians(nb::module_& m) {
  m.def("left_jacobian_se3", &math::left_jacobian_se3, "V"_a,
        R"(exp(J_l(V) dV) exp(V) = exp(V + dV) to first order.

>>> import numpy as np
>>> from prehend import math
>>> bool(np.allclose(math.left_jacobian_se3(np.zeros(6)), np.eye(6)))
True
)");
  m.def("right_jacobian_se3", &math::right_jacobian_se3, "V"_a,
        R"(exp(V) exp(J_r(V) dV) = exp(V + dV) to first order.

>>> import numpy as np
>>> from prehend import math
>>> V = np.array([0.1, 0.2, 0.3, 1, 2, 3])
>>> bool(np.allclose(math.right_jacobian_se3(V), math.left_jacobian_se3(-V)))
True
)");
  m.def("inverse_left_jacobian_se3", &math::inverse_left_jacobian_se3, "V"_a,
        R"(Inverse of left_jacobian_se3().

>>> import numpy as np
>>> from prehend import math
>>> V = [0.1, 0.2, 0.3, 1, 2, 3]
>>> bool(np.allclose(math.inverse_left_jacobian_se3(V) @ math.left_jacobian_se3(V), np.eye(6)))
True
)");
  m.def("inverse_right_jacobian_se3", &math::inverse_right_jacobian_se3, "V"_a,
        R"(Inverse of right_jacobian_se3().

>>> import numpy as np
>>> from prehend import math
>>> V = [0.1, 0.2, 0.3, 1, 2, 3]
>>> bool(np.allclose(math.inverse_right_jacobian_se3(V) @ math.right_jacobian_se3(V), np.eye(6)))
True
)");
}

void bind_motions(nb::module_& m) {
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
  m.def("adjoint", &math::adjoint, "X_AB"_a,
        R"(V_A = adjoint(X_AB) @ V_B: the same motion seen from A; angular part first.

>>> from prehend import math
>>> (math.adjoint(math.Pose.translation([1, 0, 0])) @ [0, 0, 1, 0, 0, 0]).tolist()   # turning about an axis one metre away
[0.0, 0.0, 1.0, 0.0, -1.0, 0.0]
)");
  m.def("lie_bracket", &math::lie_bracket, "V"_a,
        R"(ad(V) @ W, the derivative of adjoint(exp(tV)) @ W at t = 0.

>>> from prehend import math
>>> (math.lie_bracket([1, 0, 0, 0, 0, 0]) @ [0, 1, 0, 0, 0, 0])[:3].tolist()
[0.0, 0.0, 1.0]
)");
  m.def("interpolate", nb::overload_cast<const Pose&, const Pose&, double>(&math::interpolate), "a"_a, "b"_a,
        "t"_a,
        R"(The screw motion from a to b; t = 0 gives a, t = 1 gives b.

>>> import prehend
>>> prehend.math.interpolate(prehend.Pose(), prehend.Pose.translation([2, 0, 0]), 0.5).p.tolist()
[1.0, 0.0, 0.0]
)");
  m.def("interpolate_decoupled", &math::interpolate_decoupled, "a"_a, "b"_a, "t"_a,
        R"(Straight line for the origin, great circle for the orientation; t = 0 gives a, t = 1 gives b.

>>> from prehend import math
>>> a, b = math.Pose(), math.Pose([0, 0, 0, 1], [2, 0, 0])
>>> math.interpolate_decoupled(a, b, 0.5).p.tolist()
[1.0, 0.0, 0.0]
)");
  m.def(
      "mean_pose",
      [](const std::vector<Pose>& poses, const std::vector<double>& weights) {
        return math::mean_pose(poses, weights);
      },
      "poses"_a, "weights"_a = nb::make_tuple(),
      R"(Bi-invariant mean; None where it does not exist.

>>> from prehend import math
>>> math.mean_pose([math.Pose(), math.Pose.translation([1, 0, 0])]).p.tolist()
[0.5, 0.0, 0.0]
)");
  m.def("wrench_adjoint", &math::wrench_adjoint, "X_AB"_a,
        R"(F_A = wrench_adjoint(X_AB) @ F_B: the same wrench about the origin of A; moment first.

>>> from prehend import math
>>> (math.wrench_adjoint(math.Pose.translation([1, 0, 0])) @ [0, 0, 0, 0, 2, 0]).tolist()   # 2 N along y, one metre away
[0.0, 0.0, 2.0, 0.0, 2.0, 0.0]
)");
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
      .def("at", &Twist::at, "p_PQ"_a, "The same motion, given by the velocity of another point.")
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
        R"(Power [W] of a wrench and a twist at the same point and in the same axes.

>>> from prehend import math
>>> math.power(math.Wrench(force=[2, 0, 0]), math.Twist(linear=[3, 0, 0]))
6.0
)");
}

}  // namespace

void bind_math(nb::module_& m) {
  bind_pose(m);
  bind_rotations(m);
  bind_rotation_jacobians(m);
  bind_motions(m);
  bind_motion_jacobians(m);
  bind_spatial(m);
}

}  // namespace prehend::python
