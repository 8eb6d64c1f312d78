#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <prehend/geometry/surface/meridian_fit.h>
#include <prehend/math/angles.h>
#include <prehend/math/house/plane_vectors.h>
#include <prehend/math/so3.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::Vector4d;

// [rad] Edges between points of the surface go as far around. In the mean of those that go around more than along, less than in a post of 24 sides, which
// keeps its facets: remeshed to edges of equal length a round body has some that are half as long again.
constexpr double kWidest = 30.0 * math::kDegree, kWidestMean = 14.0 * math::kDegree;
// [-] of its length: the sag of a chord whose arc turns that much, and [1/rad] less. A circle's is an eighth of its turn.
constexpr double kChordSag = 0.07, kTurnSag = 0.15;
// [-] of the diagonal: a vertex farther from the chain of one cut belongs to no turned body.
constexpr double kFarFromCut = 0.02;
// [-] A mesh that fills its surface misses some volume below facets of 16 degrees, and no more.
constexpr double kMostVolumeMissing = 0.06;

Vector2d meridian_of(const Vector3d& p) { return {std::hypot(p.x(), p.y()), p.z()}; }

// Points in order along a meridian: from axis to axis, or around.
struct Chain {
  std::vector<Vector2d> points;
  bool is_closed{false};
};

// Where the plane through the axis that has this angle against x cuts the mesh, on one side of the axis.
class AxisCut {
 public:
  AxisCut(const TriangleMesh& mesh, double angle) : mesh_(mesh) {
    const double c = std::cos(angle), s = std::sin(angle);
    for (const Vector3d& p : mesh.vertices) {
      along_.push_back(c * p.x() + s * p.y());
      across_.push_back(c * p.y() - s * p.x());
    }
  }

  std::optional<Chain> chain() {
    link();
    std::optional<Chain> found;
    for (std::size_t start = 0; start < points_.size(); ++start) {
      if (is_walked_[start]) continue;
      const auto loop = walk(start);
      if (!loop) return std::nullopt;
      const auto part = half(*loop);
      if (!part) return std::nullopt;
      if (part->points.empty()) continue;  // beyond the axis
      if (found) return std::nullopt;
      found = part;
    }
    return found;
  }

 private:
  int crossing(int a, int b) {
    if (a > b) std::swap(a, b);
    const auto key = (static_cast<std::uint64_t>(a) << 32) | static_cast<std::uint64_t>(b);
    const auto [entry, is_new] = index_.try_emplace(key, static_cast<int>(points_.size()));
    if (is_new) {
      const double u = across_[a] / (across_[a] - across_[b]);
      points_.emplace_back((1.0 - u) * along_[a] + u * along_[b],
                           (1.0 - u) * mesh_.vertices[a].z() + u * mesh_.vertices[b].z());
      links_.push_back({-1, -1});
    }
    return entry->second;
  }
  void link() {
    for (const Eigen::Vector3i& t : mesh_.triangles) {
      int ends[2] = {-1, -1}, count = 0;
      for (int k = 0; k < 3; ++k) {
        const int a = t[k], b = t[(k + 1) % 3];
        if ((across_[a] < 0.0) != (across_[b] < 0.0) && count < 2) ends[count++] = crossing(a, b);
      }
      if (count < 2) continue;
      for (int k = 0; k < 2; ++k) {
        auto& slots = links_[static_cast<std::size_t>(ends[k])];
        slots[slots[0] >= 0 ? 1 : 0] = ends[1 - k];
      }
    }
    is_walked_.assign(points_.size(), 0);
  }
  std::optional<std::vector<Vector2d>> walk(std::size_t start) {
    std::vector<Vector2d> loop;
    int before = -1, at = static_cast<int>(start);
    do {
      const auto k = static_cast<std::size_t>(at);
      if (is_walked_[k] || links_[k][1] < 0) return std::nullopt;
      is_walked_[k] = 1;
      loop.push_back(points_[k]);
      const int next = links_[k][0] == before ? links_[k][1] : links_[k][0];
      before = at;
      at = next;
    } while (at != static_cast<int>(start));
    return loop;
  }
  // The part of a loop beside the axis; empty: none. None: more than one.
  static std::optional<Chain> half(const std::vector<Vector2d>& loop) {
    const std::size_t n = loop.size();
    std::vector<std::size_t> leaves;  // points after which the loop comes to this side
    for (std::size_t i = 0; i < n; ++i) {
      if (loop[i].x() < 0.0 && loop[(i + 1) % n].x() >= 0.0) leaves.push_back(i);
    }
    if (leaves.size() > 1) return std::nullopt;
    if (leaves.empty()) {
      if (loop.front().x() < 0.0) return Chain{};
      return Chain{loop, true};
    }
    const auto on_axis = [&](const Vector2d& a, const Vector2d& b) {
      return Vector2d(0.0, a.y() + a.x() / (a.x() - b.x()) * (b.y() - a.y()));
    };
    Chain chain;
    std::size_t i = leaves.front();
    chain.points.push_back(on_axis(loop[i], loop[(i + 1) % n]));
    for (i = (i + 1) % n; loop[i].x() >= 0.0; i = (i + 1) % n) chain.points.push_back(loop[i]);
    chain.points.push_back(on_axis(loop[(i + n - 1) % n], loop[i]));
    return chain;
  }

  const TriangleMesh& mesh_;
  std::vector<double> along_, across_;
  std::unordered_map<std::uint64_t, int> index_;
  std::vector<Vector2d> points_;
  std::vector<std::array<int, 2>> links_;
  std::vector<char> is_walked_;
};

double distance_to(const Vector2d& p, const Vector2d& a, const Vector2d& b) {
  const Vector2d ab = b - a;
  const double square = ab.squaredNorm();
  const double u = square > 0.0 ? std::clamp(ab.dot(p - a) / square, 0.0, 1.0) : 0.0;
  return (p - a - u * ab).norm();
}

// The fewest points of a chain that leave none farther off than `within`: Douglas and Peucker's.
class FewestCorners {
 public:
  FewestCorners(const std::vector<Vector2d>& points, double within) : points_(points), within_(within) {}

  std::vector<Vector2d> run(bool is_closed) {
    const std::size_t last = points_.size() - 1;
    keep_.assign(points_.size(), 0);
    if (!is_closed) {
      keep_.front() = keep_.back() = 1;
      split(0, last);
    } else {  // the two farthest from the first and from each other
      const std::size_t a = farthest(0), b = farthest(a);
      keep_[std::min(a, b)] = keep_[std::max(a, b)] = 1;
      split(std::min(a, b), std::max(a, b));
      split(std::max(a, b), last);
      split(0, std::min(a, b));
    }
    std::vector<Vector2d> corners;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (keep_[i] && (corners.empty() || (corners.back() - points_[i]).norm() > within_))
        corners.push_back(points_[i]);
    }
    return corners;
  }

 private:
  std::size_t farthest(std::size_t from) const {
    std::size_t best = from;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if ((points_[i] - points_[from]).norm() > (points_[best] - points_[from]).norm()) best = i;
    }
    return best;
  }
  void split(std::size_t first, std::size_t last) {
    std::vector<std::pair<std::size_t, std::size_t>> open{{first, last}};
    while (!open.empty()) {
      const auto [a, b] = open.back();
      open.pop_back();
      std::size_t worst = a;
      double most = within_;
      for (std::size_t i = a + 1; i < b; ++i) {
        const double off = distance_to(points_[i], points_[a], points_[b]);
        if (off > most) most = off, worst = i;
      }
      if (worst == a) continue;
      keep_[worst] = 1;
      open.emplace_back(a, worst);
      open.emplace_back(worst, b);
    }
  }

  const std::vector<Vector2d>& points_;
  double within_;
  std::vector<char> keep_;
};

// A vertex in radius and height, and how far along a chain it lies.
struct OrderedVertex {
  double at{0.0};  // [m]
  int vertex{-1};
  Vector2d p{Vector2d::Zero()};
};

// The edges of a chain, to find the nearest one of many points.
class ChainEdges {
 public:
  explicit ChainEdges(const Chain& chain) {
    const std::size_t n = chain.points.size(), edges = chain.is_closed ? n : n - 1;
    double at = 0.0;
    for (std::size_t i = 0; i < edges; ++i) {
      const Vector2d way = chain.points[(i + 1) % n] - chain.points[i];
      const double square = way.squaredNorm();
      edges_.push_back({chain.points[i], way, square > 0.0 ? 1.0 / square : 0.0, at});
      at += way.norm();
    }
  }
  // [m] How far along the chain the nearest point is; none farther off than `far`.
  std::optional<double> nearest(const Vector2d& p, double far) const {
    double best = far * far, share = 0.0;
    const Edge* found = nullptr;
    for (const Edge& edge : edges_) {
      const Vector2d off = p - edge.start;
      const double u = std::clamp(off.dot(edge.way) * edge.inverse_square, 0.0, 1.0);
      const double square = (off - u * edge.way).squaredNorm();
      if (square > best) continue;
      best = square;
      share = u;
      found = &edge;
    }
    if (found == nullptr) return std::nullopt;
    return found->at + share * found->way.norm();
  }

 private:
  struct Edge {
    Vector2d start, way;
    double inverse_square, at;
  };
  std::vector<Edge> edges_;
};

// Every `stride`th vertex. None where one lies far from the chain.
std::optional<std::vector<OrderedVertex>> in_order(const TriangleMesh& mesh, const Chain& chain, double far,
                                                   std::size_t stride) {
  const ChainEdges edges(chain);
  // Most meshes that were not turned are seen by a few vertices.
  constexpr std::size_t kAskedFirst = 200;
  for (std::size_t v = 0; v < mesh.vertices.size(); v += 1 + mesh.vertices.size() / kAskedFirst) {
    if (!edges.nearest(meridian_of(mesh.vertices[v]), far)) return std::nullopt;
  }
  std::vector<OrderedVertex> placed;
  for (std::size_t v = 0; v < mesh.vertices.size(); v += stride) {
    const Vector2d p = meridian_of(mesh.vertices[v]);
    const auto at = edges.nearest(p, far);
    if (!at) return std::nullopt;
    placed.push_back({*at, static_cast<int>(v), p});
  }
  std::sort(placed.begin(), placed.end(), [](const OrderedVertex& a, const OrderedVertex& b) {
    return a.at != b.at ? a.at < b.at : a.vertex < b.vertex;
  });
  return placed;
}

// The cut without what lies on straight lines but for the share of the mesh's diagonal that is given.
std::optional<Chain> simple_cut(const TriangleMesh& mesh, double share) {
  // An angle that no mesh has its vertices at.
  constexpr double kCutAngle = 0.7390851332;
  auto cut = AxisCut(mesh, kCutAngle).chain();
  if (!cut || cut->points.size() < 3) return std::nullopt;
  cut->points =
      FewestCorners(cut->points, share * bounding_box(mesh.vertices).diagonal()).run(cut->is_closed);
  return cut->points.size() < 3 ? std::nullopt : cut;
}

// [m] Where the meridian meets the axis: at a vertex there, in the plane of a flat end, or where z = z0 + c r^2 through the nearest vertices does. `cut`:
// where the cut met it.
std::optional<double> pole_height(const std::vector<OrderedVertex>& placed, bool at_start, double cut,
                                  double tolerance) {
  constexpr std::size_t kAsked = 12, kFlat = 3;
  std::vector<Vector2d> near;
  for (std::size_t i = 0; i < std::min(placed.size(), kAsked); ++i)
    near.push_back((at_start ? placed[i] : placed[placed.size() - 1 - i]).p);
  if (near.size() < kFlat) return std::nullopt;
  for (const Vector2d& p : near) {
    if (p.x() <= tolerance) return p.y();
  }
  if (std::all_of(near.begin(), near.begin() + kFlat,
                  [&](const Vector2d& p) { return std::abs(p.y() - cut) <= tolerance; }))
    return near.front().y();
  double n = 0.0, s1 = 0.0, s2 = 0.0, t0 = 0.0, t1 = 0.0;
  const double z = near.front().y();
  for (const Vector2d& p : near) {
    const double q = p.x() * p.x();
    n += 1.0, s1 += q, s2 += q * q, t0 += p.y() - z, t1 += q * (p.y() - z);
  }
  const double determinant = n * s2 - s1 * s1;
  if (!(determinant > 1e-9 * n * s2)) return std::nullopt;  // all at one radius, and not flat
  const double z0 = (s2 * t0 - s1 * t1) / determinant, c = (n * t1 - s1 * t0) / determinant;
  for (const Vector2d& p : near) {
    if (std::abs(p.y() - z - z0 - c * p.x() * p.x()) > tolerance) return std::nullopt;
  }
  return z + z0;
}

// [rad] By how much a chain turns, either way.
double all_turns(const std::vector<Vector2d>& points, bool is_closed) {
  double sum = 0.0;
  const std::size_t n = points.size();
  for (std::size_t i = is_closed ? 0 : 1; i < (is_closed ? n : n - 1); ++i) {
    const Vector2d in = points[i] - points[(i + n - 1) % n], out = points[(i + 1) % n] - points[i];
    sum += std::abs(std::atan2(math::cross(in, out), in.dot(out)));
  }
  return sum;
}

// The corners of the meridian, anticlockwise.
std::optional<Chain> corners_of(const TriangleMesh& mesh, Chain chain, double tolerance) {
  const double far = kFarFromCut * bounding_box(mesh.vertices).diagonal();
  const std::pair ends(chain.points.front().y(), chain.points.back().y());
  // The chain of a cut is blunt where it meets no vertex; that of the vertices puts them in the right order there.
  for (int pass = 0; pass < 2; ++pass) {
    const auto placed = in_order(mesh, chain, far, 1);
    if (!placed) return std::nullopt;
    std::vector<Vector2d> points;
    for (const OrderedVertex& p : *placed) {
      if (chain.is_closed || p.p.x() > tolerance) points.push_back(p.p);
    }
    if (!chain.is_closed) {
      const auto first = pole_height(*placed, true, ends.first, tolerance),
                 last = pole_height(*placed, false, ends.second, tolerance);
      if (!first || !last) return std::nullopt;
      points.insert(points.begin(), Vector2d(0.0, *first));
      points.emplace_back(0.0, *last);
    }
    if (points.size() < 3) return std::nullopt;
    chain.points = FewestCorners(points, 0.5 * tolerance).run(chain.is_closed);
    // Points put in order across a corner lead there and back.
    for (std::size_t i = 1; i + 1 < chain.points.size(); ++i) {
      const Vector2d in = chain.points[i] - chain.points[i - 1], out = chain.points[i + 1] - chain.points[i];
      if (in.dot(out) < -0.98 * in.norm() * out.norm())
        chain.points.erase(chain.points.begin() + static_cast<std::ptrdiff_t>(i--));
    }
    if (chain.points.size() < 3) return std::nullopt;
  }
  // Corners that follow the noise of the vertices turn there and back: fewer corners would turn much less.
  constexpr double kMoreTurns = 1.3, kOneCorner = 0.3, kCoarser = 6.0;  // [-], [rad], [-]
  const std::vector<Vector2d> fewer = FewestCorners(chain.points, kCoarser * tolerance).run(chain.is_closed);
  if (all_turns(chain.points, chain.is_closed) > kMoreTurns * all_turns(fewer, chain.is_closed) + kOneCorner)
    return std::nullopt;
  double area = 0.0;
  for (std::size_t i = 0; i < chain.points.size(); ++i)
    area += math::cross(chain.points[i], chain.points[(i + 1) % chain.points.size()]);
  if (area < 0.0) std::reverse(chain.points.begin(), chain.points.end());
  return chain;
}

// Out of the material at a point beside the surface.
Vector3d outward_at(const TurnedProfile& profile, const Vector3d& p) {
  const Vector2d n = profile.nearest(meridian_of(p)).n;
  const double r = p.head<2>().norm();
  return r > 0.0 ? Vector3d(n.x() * p.x() / r, n.x() * p.y() / r, n.y()) : Vector3d(0.0, 0.0, n.y());
}

// Whether all edges of the mesh lie where chords between points of the surface do: at a rim they go around it; elsewhere the surface turns little along
// them.
bool edges_fit(const TriangleMesh& mesh, double tolerance, FittedMeridian& fit) {
  double sum = 0.0;
  int count = 0;
  const auto take = [&](double step, bool is_around) {
    fit.widest_step = std::max(fit.widest_step, step);
    if (!is_around) return;
    sum += step;
    ++count;
  };
  for (const Eigen::Vector3i& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      if (t[k] > t[(k + 1) % 3]) continue;
      const Vector3d &p = mesh.vertices[t[k]], &q = mesh.vertices[t[(k + 1) % 3]];
      const double off = std::abs(fit.profile.nearest(meridian_of(0.5 * (p + q))).distance);
      fit.depth = std::max(fit.depth, off);
      if (off <= tolerance) continue;
      const Vector2d u = p.head<2>(), v = q.head<2>();
      const double step = std::abs(std::atan2(math::cross(u, v), u.dot(v)));
      const double radius = 0.5 * (u.norm() + v.norm()), way = (meridian_of(p) - meridian_of(q)).norm();
      if (step <= kWidest && off <= radius * (1.0 - std::cos(0.5 * step)) + kChordSag * way + tolerance) {
        take(step, radius * step > way);
        continue;
      }
      const double turn =
          std::acos(std::clamp(outward_at(fit.profile, p).dot(outward_at(fit.profile, q)), -1.0, 1.0));
      if (turn > kWidest || off > kTurnSag * turn * (p - q).norm() + tolerance) return false;
      take(turn, true);
    }
  }
  return sum <= kWidestMean * count;
}

// Whether a flat part goes over into a curve: where it ends is known no better than the tolerance, which there is a long way, and it tips there.
bool has_vague_foot(const TurnedProfile& profile) {
  constexpr double kFlat = 0.02, kSharp = 16.0 * math::kDegree;  // [-] sine, [rad]
  const auto& edges = profile.edges();
  const std::size_t n = edges.size();
  for (std::size_t i = profile.is_closed() ? 0 : 1; i < n; ++i) {
    const auto &before = edges[(i + n - 1) % n], &after = edges[i];
    const double turn = std::abs(std::atan2(math::cross(before.t, after.t), before.t.dot(after.t)));
    if (turn > kSharp || before.is_straight() == after.is_straight()) continue;
    if (std::abs((before.is_straight() ? before : after).t.y()) < kFlat) return true;
  }
  return false;
}

double volume_of_mesh(const TriangleMesh& mesh) {
  double sum = 0.0;
  for (const Eigen::Vector3i& t : mesh.triangles)
    sum += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6.0;
  return std::abs(sum);
}

// [-] of the tolerance: what an arc bulges by between two corners, which leave no point farther off than half of it.
constexpr double kStraight = 0.125;
}  // namespace

std::optional<FittedMeridian> fit_meridian(const TriangleMesh& mesh, double tolerance) {
  const auto cut = simple_cut(mesh, 1e-4);
  if (!cut) return std::nullopt;
  const auto chain = corners_of(mesh, *cut, tolerance);
  if (!chain) return std::nullopt;
  FittedMeridian fit{TurnedProfile(chain->points, chain->is_closed, kStraight * tolerance)};
  for (const Vector3d& p : mesh.vertices) {
    fit.deviation = std::max(fit.deviation, std::abs(fit.profile.nearest(meridian_of(p)).distance));
    if (fit.deviation > tolerance) return std::nullopt;
  }
  if (has_vague_foot(fit.profile)) return std::nullopt;
  const double volume = fit.profile.volume();
  if (!(std::abs(volume_of_mesh(mesh) - volume) <= kMostVolumeMissing * volume) ||
      !edges_fit(mesh, tolerance, fit))
    return std::nullopt;
  return fit;
}

std::optional<math::Pose> moved_axis(const Vector4d& x) {
  if (!x.allFinite() || x.tail<2>().norm() > 0.2) return std::nullopt;
  const Vector3d tilted(x[3], -x[2], 1.0);
  return math::Pose(math::rotation_between(Vector3d::UnitZ(), tilted.normalized()).normalized(),
                    Vector3d(x[0], x[1], 0.0));
}

std::optional<math::Pose> straighter_axis(const TriangleMesh& mesh) {
  const auto cut = simple_cut(mesh, 1e-3);
  if (!cut) return std::nullopt;
  constexpr std::size_t kMostAsked = 4000;
  const double diagonal = bounding_box(mesh.vertices).diagonal();
  const auto placed = in_order(mesh, *cut, kFarFromCut * diagonal, 1 + mesh.vertices.size() / kMostAsked);
  if (!placed) return std::nullopt;
  constexpr std::size_t kInPiece = 24;
  constexpr double kFlat = 0.1;  // [-] a piece across a corner is thicker
  Eigen::Matrix4d normal = Eigen::Matrix4d::Zero();
  Vector4d right = Vector4d::Zero();
  for (std::size_t first = 0; first + kInPiece <= placed->size(); first += kInPiece) {
    Vector2d mean = Vector2d::Zero();
    for (std::size_t i = first; i < first + kInPiece; ++i) mean += (*placed)[i].p / kInPiece;
    Eigen::Matrix2d spread = Eigen::Matrix2d::Zero();
    for (std::size_t i = first; i < first + kInPiece; ++i)
      spread += ((*placed)[i].p - mean) * ((*placed)[i].p - mean).transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(spread);
    if (solver.eigenvalues()[0] > kFlat * kFlat * solver.eigenvalues()[1]) continue;
    const Vector2d n = solver.eigenvectors().col(0), t = solver.eigenvectors().col(1);
    // Rows of the four unknowns and the value, less what a straight piece would explain: 1 and the place along it.
    Eigen::Matrix<double, kInPiece, 5> rows;
    Eigen::Matrix<double, kInPiece, 2> line;
    for (std::size_t i = 0; i < kInPiece; ++i) {
      const OrderedVertex& point = (*placed)[first + i];
      const Vector3d& p = mesh.vertices[static_cast<std::size_t>(point.vertex)];
      const double r = std::max(point.p.x(), 1e-9 * diagonal), x = p.x() / r, y = p.y() / r;
      const Vector4d radial(x, y, -y * p.z(), x * p.z()), axial(0.0, 0.0, p.y(), -p.x());
      const auto k = static_cast<Eigen::Index>(i);
      rows.row(k) << (n.x() * radial + n.y() * axial).transpose(), n.dot(point.p - mean);
      line.row(k) << 1.0, t.dot(point.p - mean) / diagonal;
    }
    const Eigen::Matrix2d gram = line.transpose() * line;
    rows -= line * Eigen::Matrix<double, 2, 5>(gram.ldlt().solve(line.transpose() * rows));
    normal += rows.leftCols<4>().transpose() * rows.leftCols<4>();
    right += rows.leftCols<4>().transpose() * rows.col(4);
  }
  if (!(normal.trace() > 0.0)) return std::nullopt;
  normal += 1e-12 * normal.trace() * Eigen::Matrix4d::Identity();
  return moved_axis(normal.ldlt().solve(right));
}

}  // namespace prehend::geometry
