#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Geometry>

#include <prehend/knot/curve/near_passes.h>
#include <prehend/math/interrupt.h>

namespace prehend::knot {
namespace {

using Eigen::Vector3d;

struct Piece {
  Vector3d from, to;
  std::size_t point{0};  // number of `from`
  double s{0};           // [m] along the rope
  double length{0};
  double bulge{0};     // [m]
  Vector3d low, high;  // box, with the bulge and half the noise
};

std::vector<Piece> pieces_of(std::span<const Vector3d> points, bool closed) {
  std::vector<Piece> pieces;
  const std::size_t count = points.size() - (closed ? 0 : 1);
  double s = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Vector3d &from = points[i], &to = points[(i + 1) % points.size()];
    const double length = (to - from).norm();
    if (!(length > 0)) continue;
    pieces.push_back({from, to, i, s, length, 0, {}, {}});
    s += length;
  }
  return pieces;
}

void add_bulges(std::vector<Piece>& pieces, bool closed, double noise) {
  const std::size_t n = pieces.size();
  for (std::size_t i = closed ? 0 : 1; i < n; ++i) {
    Piece &before = pieces[(i + n - 1) % n], &after = pieces[i];
    const Vector3d a = before.to - before.from, b = after.to - after.from;
    const double turn = std::atan2(a.cross(b).norm(), a.dot(b)), shorter = std::min(a.norm(), b.norm());
    for (Piece* piece : {&before, &after})
      piece->bulge = std::max(piece->bulge, turn * std::sqrt(piece->length * shorter) / 8);
  }
  for (Piece& piece : pieces) {
    const double out = piece.bulge + 0.5 * noise;
    piece.low = piece.from.cwiseMin(piece.to).array() - out;
    piece.high = piece.from.cwiseMax(piece.to).array() + out;
  }
}

double distance(const Piece& p, const Piece& q) {
  const Vector3d u = p.to - p.from, v = q.to - q.from, w = p.from - q.from;
  const double a = u.squaredNorm(), e = v.squaredNorm(), b = u.dot(v), c = u.dot(w), f = v.dot(w);
  const double det = a * e - b * b;
  double s = det > 1e-12 * a * e ? std::clamp((b * f - c * e) / det, 0.0, 1.0) : 0.0;
  double t = (b * s + f) / e;
  if (t < 0 || t > 1) {
    t = std::clamp(t, 0.0, 1.0);
    s = std::clamp((b * t - c) / a, 0.0, 1.0);
  }
  return (w + s * u - t * v).norm();
}

}  // namespace

std::optional<NearPass> nearest_pass(std::span<const Vector3d> points, bool closed, double noise_left) {
  if (points.size() < 2) return {};
  // Two deviations of the distance of two strands.
  const double noise = 2 * std::sqrt(2.0) * noise_left;
  std::vector<Piece> pieces = pieces_of(points, closed);
  if (pieces.size() < 4) return {};
  add_bulges(pieces, closed, noise);
  const double length = pieces.back().s + pieces.back().length;
  // Pieces that follow each other this closely make no knot between them.
  constexpr std::size_t kBeside = 2;
  const double along = 6 * noise;
  const std::size_t n = pieces.size();
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return pieces[a].low.x() < pieces[b].low.x(); });
  std::optional<NearPass> worst;
  double least = 1.0;
  for (std::size_t k = 0; k < n; ++k) {
    if (k % 256 == 0) math::check_interrupt();
    const std::size_t a = order[k];
    for (std::size_t l = k + 1; l < n && pieces[order[l]].low.x() <= pieces[a].high.x(); ++l) {
      const std::size_t i = std::min(a, order[l]), j = std::max(a, order[l]);
      const Piece &p = pieces[i], &q = pieces[j];
      if ((p.low.array() > q.high.array()).any() || (q.low.array() > p.high.array()).any()) continue;
      if (j - i <= kBeside || (closed && i + n - j <= kBeside)) continue;
      const double gap = q.s - p.s - p.length;
      if (gap <= along || (closed && p.s + length - q.s - q.length <= along)) continue;
      const double doubt = p.bulge + q.bulge + noise, apart = distance(p, q);
      if (!(apart < least * doubt)) continue;
      least = apart / doubt;
      worst = NearPass{p.point, q.point, apart, doubt};
    }
  }
  return worst;
}

}  // namespace prehend::knot
