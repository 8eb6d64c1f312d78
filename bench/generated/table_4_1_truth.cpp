// The derivation of sideways_limit().
//
// Lengths in half sides h, forces in weights W; friction forces in mu W. The corners of the square are (+-1, +-1); by
// convexity forces at the corners stand for any pressure on the square. Let phi = F z (z in h), eta = y >= 0 (by
// symmetry), f = F / mu. Normal forces n at the corners must give
//   sum n = 1,   sum n x = phi  (the push leans the body forward),   sum n y = 0,
// which leaves one freedom, delta:
//   front (x = 1): (1 + phi)/4 +- delta,   back: (1 - phi)/4 -+ delta   (upper sign at y = 1).
// Toppling: phi <= 1, that is F <= W h / z.
// Sliding: friction of at most n at each corner must add up to the force -f along x and the moment eta f. The largest f
// is the least power of friction over motions (slide u along x, q along y, turn t) with u + eta t = 1:
//   f(phi, delta) = min of  sum n_i |v_i|,   v_i = (u + t y_i, q - t x_i).
// f is concave in delta; where its best delta is inside its bounds, the derivative
//   |v_f+| - |v_f-| - |v_b+| + |v_b-| = 0,   which (squaring twice) means  u t q = 0:  the centre of turning lies on x = 0.
// (1) So, with q = 0: |v_+| + |v_-| with v_+- = (u +- t, t) is what the weights 1/2, 1/2 at y = +-1 pay for; where it is 2,
//     (u, 0) lies on an ellipse with foci +-(t, t) and half axis 1:  u^2 = 2 - 1/(1 - t^2).  Hence
//       1/f = max over t of u(t) + eta t,   attained where  eta^2 (1 - t^2)^3 (1 - 2 t^2) = t^2.
//     Equilibrium across gives delta = phi (|v_+| + |v_-|) / (4 (|v_+| - |v_-|)) = phi / (4 u t), and the bound of the corner that
//     unloads first (back, y = 1), delta <= (1 - phi)/4, asks for  phi (1 + u t) <= u t.
// (2) Otherwise that corner is empty: normal forces 1/2 at (1, 1), phi/2 at (1, -1), (1 - phi)/2 at (-1, -1), and f(phi) is
//     a minimum over two numbers (t, q), convex, found by section; F = mu f(F z) has one root.
// With eta = 0 the limit is the lesser of mu W and W h / z.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <generated/table_4_1_truth.h>

namespace prehend::stability {
namespace {

// Root of a decreasing function in [low, high]; the bounds may be roots.
template <class Function>
double decreasing_root(const Function& function, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (function(middle) > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Where a function that is positive at `low` and negative at `high` changes sign: false position, Illinois' variant.
template <class Function>
double crossing(const Function& function, double low, double high) {
  const double width = high - low;
  double at_low = function(low), at_high = function(high);
  int kept = 0;  // which end stayed in the last step
  for (int i = 0; i < 100 && high - low > 1e-14 * width; ++i) {
    const double x = (low * at_high - high * at_low) / (at_high - at_low), value = function(x);
    if (value == 0.0) return x;
    if (value > 0.0) {
      low = x, at_low = value;
      if (kept == 1) at_high *= 0.5;
      kept = 1;
    } else {
      high = x, at_high = value;
      if (kept == -1) at_low *= 0.5;
      kept = -1;
    }
  }
  return 0.5 * (low + high);
}

template <class Function>
double least_value(const Function& function, double low, double high) {
  const double ratio = 0.5 * (std::sqrt(5.0) - 1.0);
  double a = high - ratio * (high - low), b = low + ratio * (high - low), fa = function(a), fb = function(b);
  for (int i = 0; i < 60;
       ++i) {  // to 3e-13 of the interval; the value is good to its square, or to 1e-12 at a kink
    if (fa < fb) {
      high = b, b = a, fb = fa;
      fa = function(a = high - ratio * (high - low));
    } else {
      low = a, a = b, fa = fb;
      fb = function(b = low + ratio * (high - low));
    }
  }
  return std::min(fa, fb);
}

// f(phi) of (2).
double three_corner_friction(double phi, double eta) {
  const double n[] = {0.5, 0.5 * phi, 0.5 * (1.0 - phi)};
  return least_value(
      [&](double t) {
        const double u = 1.0 - eta * t;
        const double x[] = {u + t, u - t, u - t}, at[] = {t, t, -t};
        const double q = decreasing_root(
            [&](double across) {
              double slope = 0.0;
              for (int i = 0; i < 3; ++i) {
                const double speed = std::hypot(x[i], across - at[i]);
                if (speed > 0.0) slope -= n[i] * (across - at[i]) / speed;
              }
              return slope;
            },
            -t, t);
        double power = 0.0;
        for (int i = 0; i < 3; ++i) power += n[i] * std::hypot(x[i], q - at[i]);
        return power;
      },
      0.0, 2.0);
}

}  // namespace

double sideways_limit(const SquareFace& face, double z, double y) {
  const double W = face.weight, h = face.half_side, mu = face.friction, eta = std::abs(y) / h;
  if (!(eta <= 1.0 + 1e-9) || !(z >= 0.0)) throw std::invalid_argument("the push is not beside the face");
  const double topple = z > 0.0 ? h / z : std::numeric_limits<double>::infinity();  // in weights
  if (eta == 0.0 || mu == 0.0) return W * std::min(mu, topple);
  const double tt = decreasing_root(  // t^2 of (1)
      [&](double s) { return eta * eta * (1 - s) * (1 - s) * (1 - s) * (1 - 2 * s) - s; }, 0.0, 0.5);
  const double t = std::sqrt(tt), u = std::sqrt(std::max(0.0, 2.0 - 1.0 / (1.0 - tt)));
  const double turning = mu / (u + eta * t);
  if (turning * z / h * (1.0 + u * t) <= u * t) return W * turning;
  // At phi = 1 both front corners carry half each: f = 1 / (1 + eta).
  if (topple <= mu / (1.0 + eta)) return W * topple;
  const double high = std::min(turning, topple);
  // mu f(F z) - F changes sign once.
  const auto spare = [&](double F) { return mu * three_corner_friction(F * z / h, eta) - F; };
  if (spare(high) >= 0.0) return W * high;
  return W * crossing(spare, 0.0, high);
}

// The weight less the push must find its centre within the square: F max(|x|, |y|) <= h (W - F).
double upward_limit(const SquareFace& face, double x, double y) {
  return face.weight * face.half_side / (face.half_side + std::max(std::abs(x), std::abs(y)));
}

double cube_stack_limit(const model::Scene& scene, const Push& push) {
  const auto refuse = [](bool wrong) {
    if (wrong)
      throw std::invalid_argument(
          "the scene is no aligned stack of equal cubes, or the push not normal to it");
  };
  refuse(scene.bodies.size() < 2 || scene.bodies[1].geoms.size() != 1);
  const double side = scene.bodies[1].geoms[0].shape.size.x(), g = scene.gravity_W.norm();
  const double friction = scene.bodies[1].geoms[0].friction, half = 0.5 * side;
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
    const model::Body& cube = scene.bodies[i];
    const Eigen::Vector3d middle(0, 0, (static_cast<double>(i) - 0.5) * side);
    refuse(cube.geoms.size() != 1 || (cube.geoms[0].shape.size.array() != side).any() ||
           (cube.X_WB.p() - middle).norm() > 1e-9 * side);
  }
  const Eigen::Vector3d d = push.d_W.normalized();
  int axis = 0;
  refuse(d.cwiseAbs().maxCoeff(&axis) < 1.0 - 1e-9);
  double limit = std::numeric_limits<double>::infinity();
  if (axis == 2 && d.z() < 0.0) return limit;  // pressed down between the edges of what is below
  for (int i = 1; i <= push.body.value(); ++i) {
    double weight = 0.0;
    for (std::size_t above = static_cast<std::size_t>(i); above < scene.bodies.size(); ++above) {
      weight += scene.bodies[above].inertia.mass * g;
    }
    const SquareFace face{half, weight, friction};
    limit =
        std::min(limit, axis == 2 ? upward_limit(face, push.p_W.x(), push.p_W.y())
                                  : sideways_limit(face, push.p_W.z() - (i - 1) * side, push.p_W[1 - axis]));
  }
  return limit;
}

}  // namespace prehend::stability
