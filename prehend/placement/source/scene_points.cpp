#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include <prehend/placement/planning/vicinity.h>
#include <prehend/placement/source/scene_points.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;

// The source's decay (5.6.1) and its rate towards the centroid (5.7).
constexpr double kDecay = 0.99, kTowardsCentre = 0.5;
// Q0, in the largest finite robustness: points that nothing moves weigh twice the strongest that can be moved.
constexpr double kFirstCap = 2.0;

// Pieces of the scene with their share of area or length, to draw from.
struct ScenePiece {
  const PreparedGeom* geom;
  int index;  // triangle or edge
};
struct Urn {
  std::vector<ScenePiece> pieces;
  std::vector<double> sums;
  void add(const PreparedGeom& geom, int index, double amount) {
    if (!(amount > 0.0)) return;
    pieces.push_back({&geom, index});
    sums.push_back((sums.empty() ? 0.0 : sums.back()) + amount);
  }
  const ScenePiece& draw(math::RandomStream& random) const {
    const double at = random.uniform() * sums.back();
    const auto found = std::upper_bound(sums.begin(), sums.end(), at);
    return pieces[std::min(static_cast<std::size_t>(found - sums.begin()), pieces.size() - 1)];
  }
};

std::optional<SampledPoint> on_triangle(const ScenePiece& piece, math::RandomStream& random) {
  const geometry::TriangleMesh& mesh = piece.geom->polyhedron.mesh();
  const Eigen::Vector3i& t = mesh.triangles[static_cast<std::size_t>(piece.index)];
  const auto corner = [&](int k) { return mesh.vertices[static_cast<std::size_t>(t[k])]; };
  double u = random.uniform();
  double v = random.uniform();
  if (u + v > 1.0) {
    u = 1.0 - u;
    v = 1.0 - v;
  }
  const Vector3d a = corner(0);
  SampledPoint point;
  point.p_W = piece.geom->X_WG * Vector3d(a + u * (corner(1) - a) + v * (corner(2) - a));
  const auto face = piece.geom->polyhedron.triangle_faces()[static_cast<std::size_t>(piece.index)];
  if (!face.is_valid()) return std::nullopt;
  // The face's own normal: triangles of one face differ by rounding, and the pose must not.
  const geometry::PolyhedronFace& plane = piece.geom->polyhedron.faces()[face];
  const Vector3d q = piece.geom->X_WG.inverse() * point.p_W;
  point.p_W = piece.geom->X_WG * Vector3d(q - (plane.normal.dot(q) - plane.offset) * plane.normal);
  point.n_W = piece.geom->X_WG.q() * plane.normal;
  return point;
}

std::optional<SampledPoint> on_edge(const ScenePiece& piece, math::RandomStream& random) {
  const geometry::Polyhedron& solid = piece.geom->polyhedron;
  const geometry::PolyhedronEdge& edge = solid.edges()[static_cast<std::size_t>(piece.index)];
  const double t = random.uniform();
  const bool is_corner = random.uniform() < 0.2;
  const geometry::VertexIndex end = t < 0.5 ? edge.start : edge.end;
  SampledPoint point;
  if (is_corner) {
    point.p_W = piece.geom->X_WG * solid.vertices()[end];
    for (const geometry::FaceIndex f : solid.vertex_faces(end)) point.cone_W.push_back(piece.geom->X_WG.q() * solid.faces()[f].normal);
  } else {
    point.p_W = piece.geom->X_WG * Vector3d((1.0 - t) * solid.vertices()[edge.start] + t * solid.vertices()[edge.end]);
    for (const geometry::FaceIndex f : {edge.left, edge.right}) point.cone_W.push_back(piece.geom->X_WG.q() * solid.faces()[f].normal);
  }
  Vector3d mean = Vector3d::Zero();
  for (const Vector3d& n : point.cone_W) mean += n;
  if (!(mean.norm() > 1e-6)) return std::nullopt;
  point.n_W = mean.normalized();
  return point;
}

void ask_robustness(const Problem& problem, stability::Method guide, std::vector<SampledPoint>& points) {
  model::Scene rest = problem.scene;
  rest.bodies[problem.object].movable = false;
  rest.bodies[problem.object].geoms.clear();
  std::erase_if(rest.geom_pairs, [&](const model::GeomPair& pair) {
    return pair.a.body == problem.object || pair.b.body == problem.object;
  });
  std::vector<stability::Push> pushes;
  std::vector<SampledPoint*> asked;
  for (SampledPoint& point : points) {
    point.robustness = std::numeric_limits<double>::infinity();
    if (point.is_fixed) continue;
    pushes.push_back({point.body, point.p_W, -point.n_W});
    asked.push_back(&point);
  }
  if (pushes.empty()) return;
  stability::RobustnessOptions options;
  options.method = guide;
  options.system.contact = problem.options.contact;
  if (guide == stability::Method::exact) options.map_accuracy = 0.01;
  options.keep_proofs = options.check_prestress = options.check_points = false;
  const stability::RobustnessResult result = stability::robustness(rest, pushes, options);
  if (result.status != stability::RobustnessStatus::ok) return;  // all alike: uniform
  for (std::size_t i = 0; i < asked.size(); ++i) asked[i]->robustness = result.answers[i].robustness;
}

}  // namespace

bool in_normal_cone(const SampledPoint& point, const Vector3d& n_W) {
  constexpr double kAngle = 1e-7;
  if (point.cone_W.empty()) return n_W.dot(point.n_W) > 1.0 - kAngle * kAngle;
  if (point.cone_W.size() == 2) {
    const Vector3d &a = point.cone_W[0], &b = point.cone_W[1];
    const Vector3d g = a.cross(b).normalized();
    return std::abs(n_W.dot(g)) < kAngle && a.cross(n_W).dot(g) > -kAngle && n_W.cross(b).dot(g) > -kAngle;
  }
  // Of a corner: n is a sum of the normals with no negative share when no direction along which all faces fall rises along n. Triples suffice.
  for (std::size_t i = 0; i < point.cone_W.size(); ++i) {
    for (std::size_t j = i + 1; j < point.cone_W.size(); ++j) {
      for (std::size_t k = j + 1; k < point.cone_W.size(); ++k) {
        const Vector3d &a = point.cone_W[i], &b = point.cone_W[j], &c = point.cone_W[k];
        const double volume = a.cross(b).dot(c);
        if (std::abs(volume) < 1e-9) continue;
        if (b.cross(c).dot(n_W) / volume > -kAngle && c.cross(a).dot(n_W) / volume > -kAngle && a.cross(b).dot(n_W) / volume > -kAngle)
          return true;
      }
    }
  }
  return false;
}

std::vector<SampledPoint> sample_scene(const Problem& problem, math::RandomStream& random, const ScenePointOptions& options) {
  const Vicinity vicinity(problem);
  std::vector<SampledPoint> points;
  if (vicinity.wanted_U().isEmpty()) return points;
  Eigen::AlignedBox3d near = vicinity.wanted_U();
  const Vector3d reach = Vector3d::Constant(2.0 * vicinity.radius());
  near.min() -= reach;
  near.max() += reach;
  for (const bool is_fixed : {false, true}) {
    Urn triangles, edges;
    for (const PreparedGeom& geom : problem.others) {
      if (problem.is_movable(geom.ref.body) == is_fixed || !problem.may_touch[geom.ref.body]) continue;
      const geometry::TriangleMesh& mesh = geom.polyhedron.mesh();
      for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto corner = [&](int k) { return mesh.vertices[static_cast<std::size_t>(mesh.triangles[t][k])]; };
        triangles.add(geom, static_cast<int>(t), 0.5 * (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm());
      }
      for (std::size_t e = 0; e < geom.polyhedron.edges().size(); ++e) {
        const geometry::PolyhedronEdge& edge = geom.polyhedron.edges()[e];
        if (edge.kind != geometry::EdgeKind::convex || !edge.right.is_valid()) continue;
        edges.add(geom, static_cast<int>(e), (geom.polyhedron.vertices()[edge.end] - geom.polyhedron.vertices()[edge.start]).norm());
      }
    }
    const auto fill = [&](const Urn& urn, int wanted, const auto& draw) {
      if (urn.pieces.empty()) return;
      // A large floor is sampled where it is of interest.
      for (int tries = 0, found = 0; tries < 30 * wanted && found < wanted; ++tries) {
        const ScenePiece& piece = urn.draw(random);
        std::optional<SampledPoint> point = draw(piece, random);
        if (!point || !near.contains(vicinity.R_WU().transpose() * point->p_W)) continue;
        point->body = piece.geom->ref.body;
        point->is_fixed = is_fixed;
        points.push_back(std::move(*point));
        ++found;
      }
    };
    fill(triangles, options.on_faces, on_triangle);
    fill(edges, options.on_edges, on_edge);
  }
  if (options.by_robustness) ask_robustness(problem, options.guide, points);
  return points;
}

PointWeights weights_of(const std::vector<SampledPoint>& points) {
  PointWeights weights;
  double largest = 0.0;
  Vector3d sum = Vector3d::Zero();
  Eigen::AlignedBox3d box;
  const bool any_moves = std::any_of(points.begin(), points.end(), [](const SampledPoint& p) { return !p.is_fixed; });
  long count = 0;
  for (const SampledPoint& point : points) {
    if (std::isfinite(point.robustness)) largest = std::max(largest, point.robustness);
    if (any_moves && point.is_fixed) continue;
    sum += point.p_W;
    box.extend(point.p_W);
    ++count;
  }
  weights.first_cap = largest > 0.0 ? kFirstCap * largest : 1.0;
  if (count > 0) weights.centre_W = sum / static_cast<double>(count);
  if (!box.isEmpty()) weights.scale = std::max(box.diagonal().norm(), 1e-9);
  return weights;
}

std::vector<double> probabilities(const std::vector<SampledPoint>& points, const PointWeights& weights, long k) {
  const double cap = weights.first_cap * std::pow(kDecay, static_cast<double>(k));
  const double pull = std::pow(kTowardsCentre, static_cast<double>(k)) / (weights.scale * weights.scale);
  std::vector<double> w(points.size());
  double most = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].is_fixed) continue;
    w[i] = std::min(points[i].robustness, cap);
    most = std::max(most, w[i]);
  }
  if (!(most > 0.0)) most = 1.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].is_fixed) w[i] = most;
    w[i] *= std::exp(-pull * (points[i].p_W - weights.centre_W).squaredNorm());
    sum += w[i];
  }
  for (double& value : w) value = sum > 0.0 ? value / sum : 1.0 / static_cast<double>(points.size());
  return w;
}

}  // namespace prehend::placement
