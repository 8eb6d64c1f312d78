#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <Eigen/Geometry>

#include <prehend/geometry/hull.h>
#include <prehend/geometry/surface/quick_hull.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
// Qhull's macros stay in this file.
#include <libqhull_r/qhull_ra.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

// The affine span of points of size about 1: the farthest point, then the farthest from the line, then from
// the plane.
HullStatus span_of(const std::vector<Vector3d>& points, double flatness) {
  const auto farthest = [&](auto&& distance) {
    std::pair<double, int> best{-1.0, -1};
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double d = distance(points[i]);
      if (d > best.first) best = {d, static_cast<int>(i)};
    }
    return best;
  };
  const Vector3d& a = points[farthest([&](const Vector3d& p) { return (p - points[0]).norm(); }).second];
  const auto [length, b] = farthest([&](const Vector3d& p) { return (p - a).norm(); });
  if (length == 0.0) return HullStatus::point;
  const Vector3d along = (points[b] - a) / length;
  const auto [width, c] = farthest([&](const Vector3d& p) { return along.cross(p - a).norm(); });
  if (width <= flatness * length) return HullStatus::collinear;
  const Vector3d normal = along.cross(points[c] - a).normalized();
  const auto [height, d] = farthest([&](const Vector3d& p) { return std::abs(normal.dot(p - a)); });
  return height <= flatness * length ? HullStatus::coplanar : HullStatus::ok;
}

// Qhull takes no null pointer for its messages (it would use stderr), so they go where nobody reads them.
std::FILE* unread_messages() {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  static const std::unique_ptr<std::FILE, Close> file(std::fopen("/dev/null", "w"));
  if (!file) throw std::runtime_error("convex_hull: cannot open /dev/null for Qhull's messages");
  return file.get();
}

// One run of Qhull; frees what Qhull holds whatever happens.
class QhullRun {
 public:
  QhullRun(std::vector<Vector3d>& points, std::string command) {
    qh_zero(&qh_, unread_messages());
    exit_code_ = qh_new_qhull(&qh_, 3, static_cast<int>(points.size()), points.data()->data(), False,
                              command.data(), nullptr, unread_messages());
  }
  ~QhullRun() {
    // Leaves Qhull's error trap; a later error would otherwise jump into the past.
    qh_.NOerrexit = True;
    qh_freeqhull(&qh_, !qh_ALL);
    int still_used = 0, bytes = 0;
    qh_memfreeshort(&qh_, &still_used, &bytes);
  }
  QhullRun(const QhullRun&) = delete;
  QhullRun& operator=(const QhullRun&) = delete;

  int exit_code() const { return exit_code_; }

  std::vector<Eigen::Vector3i> triangles() {
    std::vector<Eigen::Vector3i> result;
    qhT* qh = &qh_;
    facetT* facet;
    vertexT *vertex, **vertexp;
    FORALLfacets {
      Eigen::Vector3i triangle = Eigen::Vector3i::Zero();
      int corners = 0;
      FOREACHvertex_(facet->vertices) {
        if (corners < 3) triangle[corners] = qh_pointid(qh, vertex->point);
        ++corners;
      }
      if (corners == 3) result.push_back(triangle);
    }
    return result;
  }

 private:
  qhT qh_;
  int exit_code_{-1};
};

// From this many points on, quickhull without care for rounding is tried first: a fifth of the time where thousands lie on the hull.
constexpr std::size_t kManyPoints = 500;

// Each triangle counter-clockwise seen from outside; `inside` lies within.
void turn_outward(std::vector<Eigen::Vector3i>& triangles, const std::vector<Vector3d>& points) {
  Vector3d inside = Vector3d::Zero();
  for (const Eigen::Vector3i& t : triangles)
    inside += (points[t[0]] + points[t[1]] + points[t[2]]) / (3.0 * static_cast<double>(triangles.size()));
  for (Eigen::Vector3i& t : triangles) {
    const Vector3d a = points[t[0]] - inside, b = points[t[1]] - inside, c = points[t[2]] - inside;
    if (!(a.dot(b.cross(c)) > 0.0)) std::swap(t[1], t[2]);
  }
}

HullResult failed(HullStatus status, std::string message) {
  HullResult result;
  result.status = status;
  result.message = std::move(message);
  return result;
}

std::optional<HullResult> refusal(HullStatus span, std::size_t count) {
  const std::string who =
      "the hull of " + std::to_string(count) + (count == 1 ? " point" : " points") + " encloses nothing: ";
  switch (span) {
    case HullStatus::point:
      return failed(span, who + "they are all in one place");
    case HullStatus::collinear:
      return failed(span, who + "they lie on a line");
    case HullStatus::coplanar:
      return failed(span, who + "they lie in a plane");
    default:
      return std::nullopt;
  }
}

}  // namespace

const char* to_string(HullStatus status) { return enum_text(status); }

HullResult convex_hull(const std::vector<Vector3d>& points, const HullOptions& options) {
  math::OptionCheck("HullOptions").between("flatness", options.flatness, 1e-15, 0.1);
  if (points.empty()) return failed(HullStatus::empty, "there are no points to take the hull of");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) {
      return failed(HullStatus::not_finite, "point " + std::to_string(i) + " is infinite or not a number");
    }
  }
  const Aabb box = bounding_box(points);
  const Vector3d centre = 0.5 * box.lower + 0.5 * box.upper;
  const double size = (0.5 * box.upper - 0.5 * box.lower).maxCoeff();
  // A power of two: scaling rounds nothing.
  const double unit = size > 0.0 ? std::exp2(std::ceil(std::log2(size))) : 1.0;
  std::vector<Vector3d> local(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) local[i] = (points[i] - centre) / unit;
  if (auto refused = refusal(span_of(local, options.flatness), points.size())) return *refused;

  std::vector<Eigen::Vector3i> triangles;
  if (local.size() >= kManyPoints) triangles = quick_hull(local);
  if (triangles.empty()) {
    QhullRun run(local, "qhull Qt Pp");
    if (run.exit_code() != 0) {
      return failed(HullStatus::failed, "Qhull gave up on the hull of " + std::to_string(points.size()) +
                                            " points with exit code " + std::to_string(run.exit_code()));
    }
    triangles = run.triangles();
    turn_outward(triangles, local);
  }

  HullResult result;
  std::vector<int> vertex_of(points.size(), -1);
  for (const Eigen::Vector3i& t : triangles) {
    for (int k = 0; k < 3; ++k) {
      if (vertex_of[t[k]] >= 0) continue;
      vertex_of[t[k]] = static_cast<int>(result.point_of.size());
      result.point_of.push_back(t[k]);
      result.mesh.vertices.push_back(points[t[k]]);
    }
  }
  for (const Eigen::Vector3i& t : triangles)
    result.mesh.triangles.emplace_back(vertex_of[t[0]], vertex_of[t[1]], vertex_of[t[2]]);
  result.status = HullStatus::ok;
  return result;
}

}  // namespace prehend::geometry
