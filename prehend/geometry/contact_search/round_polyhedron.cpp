#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/box_tree.h>
#include <prehend/geometry/contact_search/contact_inside.h>
#include <prehend/geometry/contact_search/contact_pair.h>
#include <prehend/geometry/contact_search/face_patch.h>
#include <prehend/geometry/contact_search/flat_features.h>
#include <prehend/geometry/contact_search/round_contact.h>
#include <prehend/math/angles.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Directions this far apart are different ones: where a surface leaves a face more slowly, the face itself touches. [-]
constexpr double kLeaves = 1e-6;

// All in the polyhedron's frame B.
class RoundSearch {
 public:
  RoundSearch(const RoundShape& round, const math::Pose& X_BR, const Polyhedron& polyhedron,
              const ContactOptions& options)
      : round_(round),
        X_BR_(X_BR),
        polyhedron_(polyhedron),
        gap_(options.gap_tolerance),
        sin_angle_(std::sin(options.angle_tolerance)),
        sin_tilt_(std::sin(options.tilt_limit)),
        margin_(4.0 * kLeaves * round.diagonal()),
        reach_(round.diagonal()) {
    side_.shape = &polyhedron;
  }

  PairContacts run() {
    const Aabb around = box_in_frame(round_.box(), X_BR_.R(), X_BR_.p());
    for (const int f : polyhedron_.face_tree().find_near(around, gap_)) near_.push_back(FaceIndex(f));
    std::vector<char> seen_edge(polyhedron_.edges().size(), 0), seen_vertex(polyhedron_.vertices().size(), 0);
    for (const FaceIndex f : near_) touch_face(f);
    for (const FaceIndex f : near_) {
      for (int k = 0; k < polyhedron_.faces()[f].loop_count; ++k) {
        for (const EdgeIndex e : polyhedron_.loop_edges(f, k)) {
          if (!seen_edge[e]) touch_edge(e);
          seen_edge[e] = 1;
        }
        for (const VertexIndex v : polyhedron_.loop(f, k)) {
          if (!seen_vertex[v] && polyhedron_.is_corner(v)) touch_vertex(v);
          seen_vertex[v] = 1;
        }
      }
    }
    if (result_.patches.empty() && !result_.penetrating) find_enclosure();
    return std::move(result_);
  }

 private:
  double distance(const Vector3d& p, Vector3d* n = nullptr) const {
    Vector3d n_R;
    const double value = round_.distance(X_BR_.R().transpose() * (p - X_BR_.p()), &n_R);
    if (n != nullptr) *n = X_BR_.R() * n_R;
    return value;
  }

  void report_penetration(const Vector3d& p, double depth) {
    if (depth <= gap_ || (result_.penetrating && depth <= result_.depth_m)) return;
    result_.penetrating = true;
    result_.depth_m = depth;
    result_.p_W = p;
  }

  // n: from the round shape to the polyhedron; p midway between the surfaces.
  void add(ContactKind kind, const Vector3d& n, std::vector<Vector3d> points, const std::vector<double>& gaps,
           double area = 0.0) {
    ContactPatch patch;
    patch.kind = kind;
    patch.n_W = n;
    patch.area_m2 = area;
    patch.gap_min_m = *std::min_element(gaps.begin(), gaps.end());
    patch.gap_max_m = *std::max_element(gaps.begin(), gaps.end());
    patch.loops_W.push_back(std::move(points));
    result_.patches.push_back(std::move(patch));
  }

  void add_line(const Vector3d& n, const Vector3d& p, const Vector3d& q, double gap_p, double gap_q) {
    if ((q - p).norm() <= margin_) {
      add(ContactKind::point, n, {0.5 * (p + q)}, {0.5 * (gap_p + gap_q)});
    } else {
      add(ContactKind::edge, n, {p, q}, {gap_p, gap_q});
    }
  }

  std::vector<RoundFeature> features_along(const Vector3d& d, double sine) const {
    std::vector<RoundFeature> features = round_.features(X_BR_.R().transpose() * d, sine);
    for (RoundFeature& feature : features) {
      const bool has_normal =
          feature.kind == RoundFeature::Kind::disc || feature.kind == RoundFeature::Kind::ring;
      feature.p = X_BR_ * feature.p;
      feature.q = has_normal ? Vector3d(X_BR_.R() * feature.q) : Vector3d(X_BR_ * feature.q);
    }
    return features;
  }

  void touch_face(FaceIndex f) {
    const PolyhedronFace& face = polyhedron_.faces()[f];
    const auto height = [&](const Vector3d& p) { return face.normal.dot(p) - face.offset; };
    // What is tilted, but within the tolerance all over, lies flat.
    std::vector<RoundFeature> features = features_along(-face.normal, sin_tilt_);
    std::erase_if(features, [&](const RoundFeature& feature) {
      return feature.kind == RoundFeature::Kind::point || !lies_flat(feature, height);
    });
    if (features.empty() || round_.kind() == RoundKind::turned) {
      const std::vector<RoundFeature> others = features_along(-face.normal, sin_angle_);
      features.insert(features.end(), others.begin(), others.end());
    }
    const FaceOutline outline(side_, f);
    for (const RoundFeature& feature : features) {
      switch (feature.kind) {
        case RoundFeature::Kind::point:
          touch_face_point(feature.p, outline, height);
          break;
        case RoundFeature::Kind::line:
          touch_face_line(feature, outline, height);
          break;
        case RoundFeature::Kind::disc:
          touch_face_disc(feature, outline, height);
          break;
        case RoundFeature::Kind::ring:
          touch_face_ring(feature, outline, height);
          break;
      }
    }
  }

  // The whole feature is as high as the tolerance allows it to differ.
  template <class Height>
  bool lies_flat(const RoundFeature& feature, const Height& height) const {
    if (feature.kind == RoundFeature::Kind::line)
      return std::abs(height(feature.p)) <= gap_ && std::abs(height(feature.q)) <= gap_;
    const Vector3d up =
        Vector3d(height(Vector3d::UnitX()), height(Vector3d::UnitY()), height(Vector3d::UnitZ())) -
        Vector3d::Constant(height(Vector3d::Zero()));
    const double rise = feature.radius * up.cross(feature.q).norm();
    return std::abs(height(feature.p)) + rise <= gap_;
  }

  template <class Height>
  void check_depth(const Vector3d& p, const FaceOutline& outline, const Height& height) {
    if (height(p) >= -gap_ || !contains(outline.polygon, outline.axes.flat(p))) return;
    // A surface far behind a face, as that of a ball under a table, is outside of the round body above it.
    const Vector3d foot = p - height(p) * outline.axes.n;
    report_penetration(foot, -distance(foot));
  }

  template <class Height>
  void touch_face_point(const Vector3d& p, const FaceOutline& outline, const Height& height) {
    check_depth(p, outline, height);
    if (std::abs(height(p)) > gap_ || !holds(outline.polygon, outline.axes.flat(p), margin_)) return;
    add(ContactKind::point, -outline.axes.n, {p - 0.5 * height(p) * outline.axes.n}, {height(p)});
  }

  template <class Height>
  void touch_face_line(const RoundFeature& line, const FaceOutline& outline, const Height& height) {
    const Vector3d way = line.q - line.p;
    for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) check_depth(line.p + t * way, outline, height);
    // Heights are linear along the line: [low, high] is where they are within the tolerance.
    const double h0 = height(line.p), rise = height(line.q) - h0;
    double low = 0.0, high = 1.0;
    if (std::abs(rise) > 1e-15 * std::abs(h0)) {
      const double a = (-gap_ - h0) / rise, b = (gap_ - h0) / rise;
      low = std::max(0.0, std::min(a, b));
      high = std::min(1.0, std::max(a, b));
    } else if (std::abs(h0) > gap_) {
      return;
    }
    for (const auto& part :
         clip_line(outline.axes.flat(line.p), outline.axes.flat(line.q), outline.polygon, margin_)) {
      const double from = std::max(part[0], low), to = std::min(part[1], high);
      if (from > to) continue;
      const Vector3d p = line.p + from * way, q = line.p + to * way;
      add_line(-outline.axes.n, p - 0.5 * height(p) * outline.axes.n, q - 0.5 * height(q) * outline.axes.n,
               height(p), height(q));
    }
  }

  // The corners that stand for a circle about the axis.
  std::vector<Vector3d> circle(const Vector3d& centre, double radius) const {
    const Vector3d u = X_BR_.R().col(0), v = X_BR_.R().col(1);
    const double mean = 2.0 * radius / (1.0 + std::cos(math::kPi / kDiscCorners));
    std::vector<Vector3d> corners;
    for (int i = 0; i < kDiscCorners; ++i) {
      const double angle = 2.0 * math::kPi * i / kDiscCorners;
      corners.push_back(centre + mean * (std::cos(angle) * u + std::sin(angle) * v));
    }
    return corners;
  }

  template <class Height>
  void touch_face_ring(const RoundFeature& ring, const FaceOutline& outline, const Height& height) {
    const std::vector<Vector3d> corners = circle(ring.p, ring.radius);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      RoundFeature line;
      line.kind = RoundFeature::Kind::line;
      line.p = corners[i];
      line.q = corners[(i + 1) % corners.size()];
      touch_face_line(line, outline, height);
    }
  }

  template <class Height>
  void touch_face_disc(const RoundFeature& disc, const FaceOutline& outline, const Height& height) {
    if (disc.hole == 0.0) check_depth(disc.p, outline, height);
    Polygon2 flat;
    for (const double radius : {disc.radius, disc.hole}) {
      if (radius == 0.0) continue;
      Loop2& loop = flat.loops.emplace_back();
      for (const Vector3d& corner : circle(disc.p, radius)) {
        check_depth(corner, outline, height);
        loop.push_back(outline.axes.flat(corner));
      }
      if ((signed_area(loop) < 0.0) == (radius == disc.radius)) std::reverse(loop.begin(), loop.end());
    }
    Polygon2 patch = intersect(flat, outline.polygon).polygon;
    if (patch.is_empty()) return;
    // Height of the disc's plane over a point of the face's plane: linear.
    const double along = disc.q.dot(outline.axes.n);
    const auto gap_at = [&](const Vector2d& x) {
      return disc.q.dot(disc.p - outline.axes.lifted(x)) / along;
    };
    bool is_within = true;
    for (const Loop2& part : patch.loops)
      for (const Vector2d& x : part) is_within = is_within && std::abs(gap_at(x)) <= gap_;
    if (!is_within) patch = part_within(patch, gap_at, gap_);
    patch = simplified(patch, 1e-7 * disc.radius);
    if (patch.is_empty() || geometry::area(patch) <= 0.0) return;
    const auto middle = [&](const Vector2d& x) { return outline.axes.lifted(x, 0.5 * gap_at(x)); };
    ContactPatch contact = face_patch(patch, -outline.axes.n, gap_at, middle);
    for (std::vector<Vector3d>& loop : contact.loops_W)
      std::reverse(loop.begin(), loop.end());  // material to the left seen against -n
    result_.patches.push_back(std::move(contact));
  }

  // The edge's part that runs along a straight line or a disc of the round surface, as shares of its length.
  std::optional<std::array<double, 2>> flat_part(const Wedge& edge) const {
    if (round_.kind() != RoundKind::cylinder && round_.kind() != RoundKind::capsule) return std::nullopt;
    const double half = round_.size()[1], radius = round_.size()[0];
    const Vector3d p = X_BR_.R().transpose() * (edge.start - X_BR_.p());
    const Vector3d way = X_BR_.R().transpose() * (edge.end - edge.start);
    double low = 0.0, high = 1.0;
    const double across = std::hypot(way.x(), way.y()), along = std::abs(way.z());
    if (across <= sin_tilt_ * edge.length && half > 0.0) {  // the gaps at its ends decide
      const double a = (-half - p.z()) / way.z(), b = (half - p.z()) / way.z();
      low = std::max(low, std::min(a, b));
      high = std::min(high, std::max(a, b));
    } else if (round_.kind() == RoundKind::cylinder && along <= sin_angle_ * edge.length) {
      // |p + t way| = radius in the plane of x and y
      const double b = (p.x() * way.x() + p.y() * way.y()) / (across * across);
      const double c = (p.x() * p.x() + p.y() * p.y() - radius * radius) / (across * across);
      if (b * b <= c) return std::nullopt;
      low = std::max(low, -b - std::sqrt(b * b - c));
      high = std::min(high, -b + std::sqrt(b * b - c));
    } else {
      return std::nullopt;
    }
    return low < high ? std::optional(std::array<double, 2>{low, high}) : std::nullopt;
  }

  // Where an edge crosses the rim of a cylinder the distance has no gradient to go by: the normal is square to both.
  std::optional<Vector3d> rim_normal(const Vector3d& p, const Vector3d& along) const {
    if (round_.kind() != RoundKind::cylinder) return std::nullopt;
    const Vector3d p_R = X_BR_.R().transpose() * (p - X_BR_.p());
    const double radius = std::hypot(p_R.x(), p_R.y());
    if (radius <= 0.0 || std::max(std::abs(radius - round_.size()[0]),
                                  std::abs(std::abs(p_R.z()) - round_.size()[1])) > 2.0 * gap_)
      return std::nullopt;
    const Vector3d outwards(p_R.x() / radius, p_R.y() / radius, 0.0);
    const Vector3d end(0.0, 0.0, p_R.z() < 0.0 ? -1.0 : 1.0);
    Vector3d n = (X_BR_.R().transpose() * along).cross(outwards.cross(end));
    if (n.norm() <= sin_angle_) return std::nullopt;
    n.normalize();
    if (n.dot(outwards + end) < 0.0) n = -n;
    // An edge in the plane of an end is square to it but for rounding.
    if (n.dot(outwards) < -sin_angle_ || n.dot(end) < -sin_angle_) return std::nullopt;
    return Vector3d(X_BR_.R() * n);
  }

  // Material of the polyhedron lies beyond the edge, seen along n, and its faces fall away from it.
  static bool leaves(const Wedge& edge, const Vector3d& n) {
    for (int i = 0; i < edge.face_count; ++i) {
      if (edge.inwards[i].dot(n) <= kLeaves) return false;
    }
    return true;
  }

  void touch_edge(EdgeIndex index) {
    const Wedge edge(side_, index);
    if (edge.length <= 0.0) return;
    if (round_.kind() == RoundKind::turned) {
      touch_edge_of_turned(edge);
      return;
    }
    const auto at = [&](double t) { return Vector3d(edge.start + t * (edge.end - edge.start)); };
    // The distance is convex along the edge: its slope rises.
    double low = 0.0, high = 1.0;
    Vector3d n;
    for (int i = 0; i < 60 && low < high; ++i) {
      const double t = 0.5 * (low + high);
      distance(at(t), &n);
      (n.dot(edge.along) > 0.0 ? high : low) = t;
    }
    const double nearest = 0.5 * (low + high);
    const double gap = distance(at(nearest), &n);
    report_penetration(at(nearest), -gap);
    if (gap > gap_ || edge.kind == EdgeKind::concave || edge.kind == EdgeKind::flat) return;
    if (const auto part = flat_part(edge)) {
      Vector3d middle_n;
      distance(at(0.5 * ((*part)[0] + (*part)[1])), &middle_n);
      const double gap_p = distance(at((*part)[0])), gap_q = distance(at((*part)[1]));
      if (std::abs(gap_p) <= gap_ && std::abs(gap_q) <= gap_ && leaves(edge, middle_n)) {
        add_line(middle_n, at((*part)[0]) - 0.5 * gap_p * middle_n, at((*part)[1]) - 0.5 * gap_q * middle_n,
                 gap_p, gap_q);
        return;
      }
    }
    const double from_end = edge.length * std::min(nearest, 1.0 - nearest);
    if (from_end <= 1e-9 * edge.length) return;
    double opening = gap;
    if (const auto crossing = rim_normal(at(nearest), edge.along)) {
      n = *crossing;
      opening = n.dot(at(nearest) - X_BR_ * round_.support(X_BR_.R().transpose() * n));
    }
    if (std::abs(opening) > gap_ || !leaves(edge, n)) return;
    add(ContactKind::point, n, {at(nearest) - 0.5 * opening * n}, {opening});
  }

  // Shares of an edge's length that pass the box of the round shape.
  std::array<double, 2> part_in_box(const Wedge& edge) const {
    const Aabb box = round_.box();
    const Vector3d p = X_BR_.R().transpose() * (edge.start - X_BR_.p());
    const Vector3d way = X_BR_.R().transpose() * (edge.end - edge.start);
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 3; ++k) {
      const double from = box.lower[k] - 2.0 * gap_ - p[k], to = box.upper[k] + 2.0 * gap_ - p[k];
      if (std::abs(way[k]) <= 1e-12 * edge.length) {
        if (from > 0.0 || to < 0.0) return {1.0, 0.0};
        continue;
      }
      low = std::max(low, std::min(from / way[k], to / way[k]));
      high = std::min(high, std::max(from / way[k], to / way[k]));
    }
    return {low, high};
  }

  // Along an edge the distance from a turned surface may have several minima: each counts.
  void touch_edge_of_turned(const Wedge& edge) {
    constexpr int kSamples = 96;  // over the diagonal: walls of a hundredth of it are seen
    const auto at = [&](double t) { return Vector3d(edge.start + t * (edge.end - edge.start)); };
    const auto [low, high] = part_in_box(edge);
    if (!(low < high)) return;
    const int count =
        std::max(8, static_cast<int>(std::ceil(kSamples * (high - low) * edge.length / reach_)));
    const auto sample = [&](int i) { return low + (high - low) * i / count; };
    std::vector<double> gaps;
    for (int i = 0; i <= count; ++i) gaps.push_back(distance(at(sample(i))));
    std::vector<std::array<double, 2>> done;
    for (int i = 0; i <= count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if ((i > 0 && gaps[k - 1] < gaps[k]) || (i < count && gaps[k + 1] < gaps[k])) continue;
      double from = sample(std::max(0, i - 1)), to = sample(std::min(count, i + 1));
      Vector3d n;
      for (int step = 0; step < 50 && from < to; ++step) {
        const double t = 0.5 * (from + to);
        distance(at(t), &n);
        (n.dot(edge.along) > 0.0 ? to : from) = t;
      }
      const double nearest = 0.5 * (from + to);
      const double gap = distance(at(nearest), &n);
      report_penetration(at(nearest), -gap);
      if (gap > gap_ || edge.kind == EdgeKind::concave || edge.kind == EdgeKind::flat) continue;
      if (std::any_of(done.begin(), done.end(), [&](const auto& part) {
            return nearest >= part[0] - 1e-9 && nearest <= part[1] + 1e-9;
          }))
        continue;
      if (const auto part = straight_part_near(edge, nearest)) {
        const double gap_p = distance(at((*part)[0])), gap_q = distance(at((*part)[1]));
        Vector3d middle_n;
        distance(at(0.5 * ((*part)[0] + (*part)[1])), &middle_n);
        if (std::abs(gap_p) <= gap_ && std::abs(gap_q) <= gap_ && leaves(edge, middle_n)) {
          add_line(middle_n, at((*part)[0]) - 0.5 * gap_p * middle_n, at((*part)[1]) - 0.5 * gap_q * middle_n,
                   gap_p, gap_q);
          done.push_back(*part);
          continue;
        }
      }
      if (edge.length * std::min(nearest, 1.0 - nearest) <= 1e-9 * edge.length) continue;
      double opening = gap;
      if (const auto crossing = ring_normal(at(nearest), edge.along)) {
        n = crossing->n;
        opening = n.dot(at(nearest) - crossing->p);
      }
      if (std::abs(opening) > gap_ || !leaves(edge, n)) continue;
      add(ContactKind::point, n, {at(nearest) - 0.5 * opening * n}, {opening});
    }
  }

  // The same where the point is the end of a line that tilts a trifle: a little to either side of it.
  std::optional<std::array<double, 2>> straight_part_near(const Wedge& edge, double nearest) const {
    const double beside = 1e-3 * reach_ / edge.length;
    for (const double t : {nearest, nearest - beside, nearest + beside}) {
      const auto part = straight_part(edge, std::clamp(t, 0.0, 1.0));
      if (part && (*part)[0] <= nearest + beside && (*part)[1] >= nearest - beside) return part;
    }
    return std::nullopt;
  }

  // The edge's part along a straight line of the surface, about the point where it is nearest: a generator, or a chord of a flat ring or disc.
  std::optional<std::array<double, 2>> straight_part(const Wedge& edge, double nearest) const {
    const Vector3d p = X_BR_.R().transpose() * (edge.start - X_BR_.p());
    const Vector3d way = X_BR_.R().transpose() * (edge.end - edge.start);
    const Vector3d here = p + nearest * way;
    const double radius = std::hypot(here.x(), here.y());
    const TurnedProfile::Foot foot = round_.profile().nearest(Vector2d(radius, here.z()));
    const TurnedProfile::Edge& meridian = round_.profile().edges()[static_cast<std::size_t>(foot.edge)];
    if (!meridian.is_straight()) return std::nullopt;
    double low = 0.0, high = 1.0;
    const double inner = std::min(meridian.p.x(), meridian.q.x()),
                 outer = std::max(meridian.p.x(), meridian.q.x());
    const Vector3d out =
        radius > 0.0 ? Vector3d(here.x() / radius, here.y() / radius, 0.0) : Vector3d::UnitX();
    const Vector3d line = meridian.t.x() * out + Vector3d(0.0, 0.0, meridian.t.y());
    if (std::abs(meridian.t.y()) <= sin_angle_ && std::abs(way.z()) <= sin_angle_ * edge.length) {
      const double across = way.head<2>().squaredNorm();
      const double b = p.head<2>().dot(way.head<2>()) / across;
      const auto half = [&](double r) { return b * b - (p.head<2>().squaredNorm() - r * r) / across; };
      if (half(outer) <= 0.0) return std::nullopt;
      low = std::max(low, -b - std::sqrt(half(outer)));
      high = std::min(high, -b + std::sqrt(half(outer)));
      if (inner > 0.0 && half(inner) > 0.0)  // on this side of the hole
        (nearest < -b ? high : low) = nearest < -b ? std::min(high, -b - std::sqrt(half(inner)))
                                                   : std::max(low, -b + std::sqrt(half(inner)));
    } else if (line.cross(way).norm() <= sin_tilt_ * edge.length) {  // the gaps at its ends decide
      const auto lifted = [&](const Vector2d& x) {
        return Vector3d(x.x() * out + Vector3d(0.0, 0.0, x.y()));
      };
      const double a = way.dot(lifted(meridian.p) - p) / way.squaredNorm(),
                   b = way.dot(lifted(meridian.q) - p) / way.squaredNorm();
      low = std::max(low, std::min(a, b));
      high = std::min(high, std::max(a, b));
    } else {
      return std::nullopt;
    }
    return low < high ? std::optional(std::array<double, 2>{low, high}) : std::nullopt;
  }

  // Where an edge crosses a sharp ring of a turned surface: the normal is square to both.
  struct RingCrossing {
    Vector3d n, p;
  };
  std::optional<RingCrossing> ring_normal(const Vector3d& p, const Vector3d& along) const {
    const Vector3d p_R = X_BR_.R().transpose() * (p - X_BR_.p());
    const double radius = std::hypot(p_R.x(), p_R.y());
    if (radius <= 0.0) return std::nullopt;
    const Vector2d flat_p(radius, p_R.z());
    TurnedProfile::Foot foot = round_.profile().nearest(flat_p);
    if (std::abs(foot.distance) > 2.0 * gap_) return std::nullopt;
    // An edge that lies a little too deep meets the surface beside the ring.
    const TurnedProfile::Edge& meridian = round_.profile().edges()[static_cast<std::size_t>(foot.edge)];
    const Vector2d& end =
        (flat_p - meridian.p).norm() < (flat_p - meridian.q).norm() ? meridian.p : meridian.q;
    if ((flat_p - end).norm() <= 2.0 * gap_) foot = round_.profile().nearest(end);
    const Vector2d &before = foot.n_before, &after = foot.n_after;
    const double turn = before.x() * after.y() - before.y() * after.x();
    if (turn <= sin_angle_) return std::nullopt;
    const Vector3d out(p_R.x() / radius, p_R.y() / radius, 0.0), around(-out.y(), out.x(), 0.0);
    Vector3d n = (X_BR_.R().transpose() * along).cross(around);
    if (n.norm() <= sin_angle_) return std::nullopt;
    n.normalize();
    Vector2d flat(n.dot(out), n.z());
    if (flat.dot(before + after) < 0.0) {
      n = -n;
      flat = -flat;
    }
    // An edge in the plane of a flat foot is square to it but for rounding.
    if (before.x() * flat.y() - before.y() * flat.x() < -sin_angle_ ||
        flat.x() * after.y() - flat.y() * after.x() < -sin_angle_)
      return std::nullopt;
    const Vector3d on_ring = foot.p.x() * out + Vector3d(0.0, 0.0, foot.p.y());
    return RingCrossing{X_BR_.R() * n, X_BR_ * on_ring};
  }

  // A face that fills more than half a turn at the corner reaches beyond its two sides there.
  bool reflex_face_leaves(VertexIndex v, const Vector3d& n) const {
    const Vector3d& here = polyhedron_.vertices()[v];
    for (const FaceIndex f : polyhedron_.vertex_faces(v)) {
      for (int k = 0; k < polyhedron_.faces()[f].loop_count; ++k) {
        const auto loop = polyhedron_.loop(f, k);
        for (std::size_t i = 0; i < loop.size(); ++i) {
          if (loop[i] != v) continue;
          const Vector3d before =
              (polyhedron_.vertices()[loop[(i + loop.size() - 1) % loop.size()]] - here).normalized();
          const Vector3d after = (polyhedron_.vertices()[loop[(i + 1) % loop.size()]] - here).normalized();
          if (polyhedron_.faces()[f].normal.dot(after.cross(before)) < 0.0 && (before + after).dot(n) >= 0.0)
            return false;
        }
      }
    }
    return true;
  }

  void touch_vertex(VertexIndex v) {
    const Vector3d& p = polyhedron_.vertices()[v];
    Vector3d n;
    const double gap = distance(p, &n);
    report_penetration(p, -gap);
    if (std::abs(gap) > gap_ || polyhedron_.vertex_normal(v).dot(n) >= 0.0) return;
    for (const EdgeIndex e : polyhedron_.vertex_edges(v)) {
      const PolyhedronEdge& edge = polyhedron_.edges()[e];
      const Vector3d away = polyhedron_.vertices()[edge.start == v ? edge.end : edge.start] - p;
      if (away.dot(n) <= kLeaves * away.norm()) return;
    }
    if (!reflex_face_leaves(v, n)) return;
    add(ContactKind::point, n, {p - 0.5 * gap * n}, {gap});
  }

  void find_enclosure() {
    const Aabb box = polyhedron_.face_tree().box();
    const Vector3d inner = round_.kind() == RoundKind::turned ? X_BR_ * round_.surface_point() : X_BR_.p();
    if (!polyhedron_.is_closed() || (inner.array() < box.lower.array()).any() ||
        (inner.array() > box.upper.array()).any() || !is_inside(side_, inner))
      return;
    report_penetration(inner, 0.5 * round_.diagonal());
  }

  const RoundShape& round_;
  const math::Pose X_BR_;
  const Polyhedron& polyhedron_;
  ContactSide side_;
  double gap_, sin_angle_, sin_tilt_;
  double margin_;  // [m] shapes this close to an outline are on it
  double reach_;   // [m] of the round shape
  std::vector<FaceIndex> near_;
  PairContacts result_;
};

}  // namespace

PairContacts find_round_contacts(const RoundShape& round, const math::Pose& X_WR,
                                 const Polyhedron& polyhedron, const math::Pose& X_WB,
                                 const ContactOptions& options) {
  PairContacts found = RoundSearch(round, X_WB.inverse() * X_WR, polyhedron, options).run();
  for (ContactPatch& patch : found.patches) {
    patch.n_W = X_WB.R() * patch.n_W;
    for (auto& loop : patch.loops_W)
      for (Vector3d& p : loop) p = X_WB * p;
  }
  found.p_W = X_WB * found.p_W;
  return found;
}

}  // namespace prehend::geometry
