#include <algorithm>
#include <cmath>

#include <prehend/geometry/round_shape.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

// Along the radius in the plane of x and y; along x where there is none.
Vector3d radial(const Vector3d& p) {
  const double length = std::hypot(p.x(), p.y());
  return length > 0.0 ? Vector3d(p.x() / length, p.y() / length, 0.0) : Vector3d::UnitX();
}

double assign(Vector3d* n, const Vector3d& value, double distance) {
  if (n != nullptr) *n = value;
  return distance;
}

double cylinder_distance(double radius, double half_length, const Vector3d& p, Vector3d* n) {
  const Vector3d r = radial(p), z = p.z() < 0.0 ? Vector3d(-Vector3d::UnitZ()) : Vector3d(Vector3d::UnitZ());
  const double beyond_side = std::hypot(p.x(), p.y()) - radius, beyond_end = std::abs(p.z()) - half_length;
  if (beyond_side > 0.0 && beyond_end > 0.0) {
    const double distance = std::hypot(beyond_side, beyond_end);
    return assign(n, (beyond_side * r + beyond_end * z) / distance, distance);
  }
  return beyond_side > beyond_end ? assign(n, r, beyond_side) : assign(n, z, beyond_end);
}

}  // namespace

const char* to_string(RoundKind kind) { return enum_text(kind); }

RoundShape RoundShape::sphere(double radius) {
  math::OptionCheck("RoundShape").above("radius", radius, 0.0, "m");
  return {RoundKind::sphere, Vector3d(radius, 0.0, 0.0)};
}

RoundShape RoundShape::capsule(double radius, double length) {
  const math::OptionCheck check("RoundShape");
  check.above("radius", radius, 0.0, "m");
  check.at_least("length", length, 0.0, "m");
  return {RoundKind::capsule, Vector3d(radius, 0.5 * length, 0.0)};
}

RoundShape RoundShape::cylinder(double radius, double length) {
  const math::OptionCheck check("RoundShape");
  check.above("radius", radius, 0.0, "m");
  check.above("length", length, 0.0, "m");
  return {RoundKind::cylinder, Vector3d(radius, 0.5 * length, 0.0)};
}

RoundShape RoundShape::ellipsoid(const Vector3d& radii) {
  const math::OptionCheck check("RoundShape");
  for (const double radius : radii) check.above("radii", radius, 0.0, "m");
  return {RoundKind::ellipsoid, radii};
}

RoundShape RoundShape::turned(TurnedProfile profile) {
  RoundShape shape(RoundKind::turned, Vector3d(profile.largest_radius(), 0.0, 0.0));
  shape.profile_ = std::make_shared<const TurnedProfile>(std::move(profile));
  return shape;
}

Aabb RoundShape::box() const {
  if (kind_ == RoundKind::turned) {
    const double low = profile_->support(-Eigen::Vector2d::UnitY()).y(),
                 high = profile_->support(Eigen::Vector2d::UnitY()).y(),
                 r = profile_->support(Eigen::Vector2d::UnitX()).x();
    return {Vector3d(-r, -r, low), Vector3d(r, r, high)};
  }
  Vector3d half = size_;
  if (kind_ == RoundKind::sphere) half.setConstant(size_[0]);
  if (kind_ == RoundKind::capsule) half = Vector3d(size_[0], size_[0], size_[1] + size_[0]);
  if (kind_ == RoundKind::cylinder) half = Vector3d(size_[0], size_[0], size_[1]);
  return {-half, half};
}

double RoundShape::diagonal() const {
  const Aabb around = box();
  return (around.upper - around.lower).norm();
}

Vector3d RoundShape::surface_point() const {
  if (kind_ != RoundKind::turned) return support(Vector3d::UnitX());
  const Eigen::Vector2d p = profile_->edges().front().at(0.5);
  return {p.x(), 0.0, p.y()};
}

double RoundShape::distance(const Vector3d& p_S, Vector3d* n_S) const {
  switch (kind_) {
    case RoundKind::sphere:
    case RoundKind::capsule: {
      const Vector3d core(0.0, 0.0, std::clamp(p_S.z(), -size_[1], size_[1]));
      const Vector3d away = p_S - core;
      const double length = away.norm();
      return assign(n_S, length > 0.0 ? Vector3d(away / length) : radial(p_S), length - size_[0]);
    }
    case RoundKind::cylinder:
      return cylinder_distance(size_[0], size_[1], p_S, n_S);
    case RoundKind::ellipsoid:
      return ellipsoid_distance(p_S, n_S);
    case RoundKind::turned: {
      const Vector3d r = radial(p_S);
      const TurnedProfile::Foot foot =
          profile_->nearest(Eigen::Vector2d(std::hypot(p_S.x(), p_S.y()), p_S.z()));
      return assign(n_S, foot.n.x() * r + Vector3d(0.0, 0.0, foot.n.y()), foot.distance);
    }
  }
  return 0.0;
}

// The nearest point x of the surface has p - x = t (x_i / a_i^2), so x_i = a_i^2 p_i / (t + a_i^2), and t is the one root of
// F(t) = sum (a_i p_i / (t + a_i^2))^2 - 1 to the right of -a_min^2, where F falls: bisection between bounds, then Newton steps.
double RoundShape::ellipsoid_distance(const Vector3d& p_S, Vector3d* n_S) const {
  const double smallest = size_.minCoeff(), largest = size_.maxCoeff();
  // Nearly on a plane of symmetry the root runs into the pole: a shift far below any tolerance keeps it away.
  Vector3d p = p_S.cwiseAbs();
  p = p.cwiseMax(1e-13 * largest);
  const auto F = [&](double t) {
    return (size_.array() * p.array() / (t + size_.array().square())).square().sum() - 1.0;
  };
  double low = -smallest * smallest + smallest * p.minCoeff() * 0.5, high = largest * p.norm();
  for (int i = 0; i < 60 && F(low) < 0.0; ++i) low = -smallest * smallest + 0.5 * (low + smallest * smallest);
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (F(middle) > 0.0 ? low : high) = middle;
  }
  const double t = 0.5 * (low + high);
  Vector3d x = size_.array().square() * p.array() / (t + size_.array().square());
  for (int i = 0; i < 3; ++i) x[i] = std::copysign(x[i], p_S[i]);
  const Vector3d n = (x.array() / size_.array().square()).matrix().normalized();
  return assign(n_S, n, (p_S - x).dot(n));
}

Vector3d RoundShape::support(const Vector3d& d_S) const {
  const double length = d_S.norm();
  const Vector3d d = length > 0.0 ? Vector3d(d_S / length) : Vector3d::UnitZ();
  const double end = d.z() < 0.0 ? -size_[1] : size_[1];
  switch (kind_) {
    case RoundKind::sphere:
      return size_[0] * d;
    case RoundKind::capsule:
      return size_[0] * d + Vector3d(0.0, 0.0, end);
    case RoundKind::cylinder:
      return size_[0] * radial(d) + Vector3d(0.0, 0.0, end);
    case RoundKind::ellipsoid: {
      const Vector3d scaled = size_.cwiseProduct(d);
      return size_.cwiseProduct(scaled) / scaled.norm();
    }
    case RoundKind::turned: {
      const Eigen::Vector2d p = profile_->support({std::hypot(d.x(), d.y()), d.z()});
      return p.x() * radial(d) + Vector3d(0.0, 0.0, p.y());
    }
  }
  return Vector3d::Zero();
}

RoundFeature RoundShape::feature(const Vector3d& d_S, double sine) const {
  const Vector3d r = radial(d_S);
  const bool has_axis = (kind_ == RoundKind::capsule || kind_ == RoundKind::cylinder) && size_[1] > 0.0;
  if (has_axis && std::abs(d_S.z()) <= sine) {
    return {RoundFeature::Kind::line, size_[0] * r - Vector3d(0.0, 0.0, size_[1]),
            size_[0] * r + Vector3d(0.0, 0.0, size_[1]), 0.0};
  }
  if (kind_ == RoundKind::cylinder && std::hypot(d_S.x(), d_S.y()) <= sine) {
    const double sign = d_S.z() < 0.0 ? -1.0 : 1.0;
    return {RoundFeature::Kind::disc, Vector3d(0.0, 0.0, sign * size_[1]), Vector3d(0.0, 0.0, sign),
            size_[0]};
  }
  return {RoundFeature::Kind::point, support(d_S), Vector3d::Zero(), 0.0};
}

std::vector<RoundFeature> RoundShape::features(const Vector3d& d_S, double sine) const {
  if (kind_ != RoundKind::turned) return {feature(d_S, sine)};
  return turned_features(d_S, sine);
}

std::vector<RoundFeature> RoundShape::turned_features(const Vector3d& d_S, double sine) const {
  using Kind = RoundFeature::Kind;
  const Vector3d r = radial(d_S);
  const Eigen::Vector2d d(std::hypot(d_S.x(), d_S.y()), d_S.z());
  const auto lifted = [&](const Eigen::Vector2d& p) {
    return Vector3d(p.x() * r + Vector3d(0.0, 0.0, p.y()));
  };
  std::vector<RoundFeature> found;
  const auto add_along = [&](const TurnedProfile::Extreme& part) {
    const bool is_point = part.p == part.q;
    found.push_back({is_point ? Kind::point : Kind::line, lifted(part.p),
                     is_point ? Vector3d(Vector3d::Zero()) : lifted(part.q), 0.0});
  };
  if (d.x() > sine) {
    for (const TurnedProfile::Extreme& part : profile_->extremes(d, sine)) add_along(part);
    return found;
  }
  // Along the axis. What is so near to it is a point, where the surface is as round as a ball: it moves with the tilt. 0.2 %: of lever arms.
  const double near_axis = 2e-3 * size_[0], sign = d.y() < 0.0 ? -1.0 : 1.0;
  const Vector3d axis(0.0, 0.0, sign);
  bool has_pole = false;
  for (const TurnedProfile::Extreme& part : profile_->extremes({0.0, sign}, sine)) {
    const double inner = std::min(part.p.x(), part.q.x()), outer = std::max(part.p.x(), part.q.x());
    const Vector3d centre(0.0, 0.0, 0.5 * (part.p.y() + part.q.y()));
    if (outer <= near_axis) {
      has_pole = true;
    } else if (part.p == part.q) {
      found.push_back({Kind::ring, centre, axis, outer});
    } else {
      found.push_back({Kind::disc, centre, axis, outer, inner <= near_axis ? 0.0 : inner});
    }
  }
  if (!has_pole) return found;
  for (const TurnedProfile::Extreme& part : profile_->extremes(d, 0.0)) {
    // Within the angle the pole of a ball moves by the sine times its radius of curvature, which may be larger than the body.
    if (part.p == part.q && part.p.x() <= near_axis + 2.0 * sine * diagonal()) add_along(part);
  }
  return found;
}

}  // namespace prehend::geometry
