#include <algorithm>
#include <cmath>

#include <prehend/observation/relations/placed_pair.h>

namespace prehend::observation {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

double cross2(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

}  // namespace

PlacedSide::PlacedSide(const BodyFeatures& body, const BodyFeatures& other, const math::Pose& X)
    : of(body), on(other), R(X.R()), heights(body.corners.size(), other.faces.size()) {
  corners.reserve(of.corners.size());
  for (std::size_t c = 0; c < of.corners.size(); ++c) {
    corners.push_back(R * of.corners[c] + X.p());
    for (std::size_t f = 0; f < on.faces.size(); ++f)
      heights(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(f)) =
          on.faces[f].normal.dot(corners.back()) - on.faces[f].offset;
  }
}

bool PlacedSide::has_edge_in_plane(const EdgeFeature& edge, int face, double tolerance) const {
  return std::abs(heights(edge.start, face)) <= tolerance && std::abs(heights(edge.end, face)) <= tolerance;
}

InsideShare inside_share(const FaceFeature& face, const Vector3d& p, const Vector3d& q, double tolerance) {
  const Vector2d a = face.flat(p), along = face.flat(q) - a;
  const double length = along.norm();
  InsideShare share;
  const Vector2d low = a.cwiseMin(a + along), high = a.cwiseMax(a + along);
  if (((low - face.box.max()).array() > tolerance).any() || ((face.box.min() - high).array() > tolerance).any())
    return share;
  double cuts[66];
  int count = 0;
  cuts[count++] = 0.0;
  for (const auto& loop : face.loops) {
    for (std::size_t i = 0; i < loop.size() && count < 65; ++i) {
      const Vector2d side = loop[i + 1 < loop.size() ? i + 1 : 0] - loop[i], between = loop[i] - a;
      const double area = cross2(along, side);
      // Sides along the segment cut it nowhere; their neighbours do.
      if (std::abs(area) <= 1e-12 * length * side.norm()) continue;
      const double s = cross2(between, side) / area, t = cross2(between, along) / area;
      const double margin = tolerance / side.norm();
      if (t >= -margin && t <= 1.0 + margin && s > 0.0 && s < 1.0) cuts[count++] = s;
    }
  }
  cuts[count++] = 1.0;
  std::sort(cuts, cuts + count);
  for (int i = 0; i < count; ++i) {
    if (!share.is_touching) share.is_touching = face.depth_of(p + cuts[i] * (q - p)) >= -tolerance;
    if (i + 1 == count || (cuts[i + 1] - cuts[i]) * length <= tolerance) continue;
    const double depth = face.depth_of(p + 0.5 * (cuts[i] + cuts[i + 1]) * (q - p));
    if (depth > tolerance) share.length += (cuts[i + 1] - cuts[i]) * length;
    share.is_touching = share.is_touching || depth >= -tolerance;
  }
  return share;
}

FaceOverlap face_overlap(const PlacedSide& side, int face_of, int face_on, double tolerance) {
  const FaceFeature &a = side.of.faces[static_cast<std::size_t>(face_of)],
                    &b = side.on.faces[static_cast<std::size_t>(face_on)];
  const auto inverse = [&](const Vector3d& p_on) -> Vector3d {
    return side.of.corners[0] + side.R.transpose() * (p_on - side.corners[0]);
  };
  if (b.depth_of(side.corners[0] + side.R * (a.inner_point - side.of.corners[0])) > tolerance ||
      a.depth_of(inverse(b.inner_point)) > tolerance)
    return FaceOverlap::area;
  bool is_touching = false;
  for (const int e : a.edges) {
    const EdgeFeature& edge = side.of.edges[static_cast<std::size_t>(e)];
    const InsideShare share =
        inside_share(b, side.corners[static_cast<std::size_t>(edge.start)],
                     side.corners[static_cast<std::size_t>(edge.end)], tolerance);
    if (share.length > tolerance) return FaceOverlap::area;
    is_touching = is_touching || share.is_touching;
  }
  for (const int e : b.edges) {
    const EdgeFeature& edge = side.on.edges[static_cast<std::size_t>(e)];
    const InsideShare share =
        inside_share(a, inverse(side.on.corners[static_cast<std::size_t>(edge.start)]),
                     inverse(side.on.corners[static_cast<std::size_t>(edge.end)]), tolerance);
    if (share.length > tolerance) return FaceOverlap::area;
    is_touching = is_touching || share.is_touching;
  }
  return is_touching ? FaceOverlap::border : FaceOverlap::apart;
}

LineMeeting meeting_of(const Vector3d& a0, const Vector3d& a1, const Vector3d& b0, const Vector3d& b1) {
  const Vector3d da = a1 - a0, db = b1 - b0, between = b0 - a0, normal = da.cross(db);
  const double area2 = normal.squaredNorm();
  LineMeeting meeting;
  // Nearly parallel lines meet far away or along each other.
  constexpr double kSine = 1e-4;
  if (area2 <= kSine * kSine * da.squaredNorm() * db.squaredNorm()) return meeting;
  meeting.is_parallel = false;
  meeting.s = between.cross(db).dot(normal) / area2;
  meeting.t = between.cross(da).dot(normal) / area2;
  meeting.distance = std::abs(between.dot(normal)) / std::sqrt(area2);
  return meeting;
}

SharedLine shared_line(const Vector3d& a0, const Vector3d& a1, const Vector3d& b0, const Vector3d& b1,
                       double tolerance) {
  const double length = (b1 - b0).norm();
  const Vector3d direction = (b1 - b0) / length;
  const double s0 = direction.dot(a0 - b0), s1 = direction.dot(a1 - b0);
  SharedLine line;
  line.is_common = (a0 - b0 - s0 * direction).norm() <= tolerance && (a1 - b0 - s1 * direction).norm() <= tolerance;
  line.begin = std::max(0.0, std::min(s0, s1));
  line.end = std::min(length, std::max(s0, s1));
  return line;
}

}  // namespace prehend::observation
