#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <Eigen/Dense>

#include <prehend/geometry/sampling.h>
#include <prehend/geometry/triangle_tree.h>
#include <prehend/inertia/shape.h>
#include <prehend/math/random.h>
#include <prehend/model/input_error.h>
#include <prehend/parts/shapes/inner_points.h>
#include <prehend/parts/shapes/mesh_pieces.h>
#include <prehend/parts/shapes/nearest_point.h>
#include <prehend/parts/shapes/own_frame.h>

namespace prehend::parts {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using geometry::MeshShell;
using geometry::MeshShells;
using geometry::TriangleMesh;

// A closed shell below this share of the volume, an open one below this share of the area, is a scrap of an export, no part: a
// 1 mm screw in a 200 mm tool is 1e-5 of its volume. (The smallest true parts of twelve published tools have 4e-4.)
constexpr double kScrapVolume = 1e-5, kScrapArea = 2e-3;
// Open pieces whose rims lie this close, as a share of the diagonal, are one: exports do not share vertices across T-junctions.
constexpr double kSameRim = 1e-4;
// Area vectors of a closed surface add up to nothing; cracks of an export leave 1e-6 to 1e-3 of the area, a missing side 0.05 and more.
constexpr double kCracks = 1e-3;
// Share of a piece that its surface goes around twice, or the wrong way, from which on that is said: what volumes are off by unsaid.
constexpr double kCrossed = 5e-3;
constexpr int kFillPoints = 2000;  // of an open piece: volumes to about 1 %

class ShellGroups {
 public:
  explicit ShellGroups(const MeshShells& shells) : shells_(shells), group_(shells.shells.size()) {
    std::iota(group_.begin(), group_.end(), 0);
    for (const MeshShell& shell : shells.shells) area_ += shell.area, volume_ += std::abs(shell.volume);
    diagonal_ = geometry::bounding_box(shells.welded.vertices).diagonal();
    join_cavities();
    join_rims();
    join_scraps();
  }

  int find(int s) {
    while (group_[s] != s) s = group_[s] = group_[group_[s]];
    return s;
  }
  int scraps() const { return scraps_; }
  int cavities() const { return cavities_; }

 private:
  bool is_solid(const MeshShell& shell) const {
    return shell.is_closed && shell.is_oriented && !shell.is_flat;
  }

  void unite(int a, int b) {
    a = find(a), b = find(b);
    group_[std::max(a, b)] = std::min(a, b);
  }

  void join_cavities() {
    for (int s = 0; s < std::ssize(group_); ++s) {
      const MeshShell& shell = shells_.shells[s];
      // Where the shells around it are inside out, so is a cavity: it faces outwards in the file.
      const bool faces_inwards = shell.is_inside_out ? shell.volume > 0.0 : shell.volume < 0.0;
      if (!is_solid(shell) || !faces_inwards || shell.inside_of.empty()) continue;
      const int around = *std::min_element(shell.inside_of.begin(), shell.inside_of.end(), [&](int a, int b) {
        return std::abs(shells_.shells[a].volume) < std::abs(shells_.shells[b].volume);
      });
      unite(s, around);
      ++cavities_;
    }
  }

  // Surfaces that are open, not merely cracked, join those whose rim runs along theirs.
  void join_rims() {
    std::vector<int> open;
    for (int s = 0; s < std::ssize(group_); ++s)
      if (!shells_.shells[s].is_closed && shells_.shells[s].closure > kCracks) open.push_back(s);
    for (const int a : open)
      for (const int b : open)
        if (a != b && find(a) != find(b) && ends_on(shells_.shells[a], shells_.shells[b])) unite(a, b);
  }

  // Whether most corners of one rim lie on edges of the other.
  bool ends_on(const MeshShell& shell, const MeshShell& other) const {
    const double near = kSameRim * diagonal_;
    std::size_t count = 0;
    // A rim of thousands of edges is looked at in a few hundred places.
    const std::size_t stride = 1 + shell.rim.size() / 300;
    std::size_t tried = 0;
    for (std::size_t i = 0; i < shell.rim.size(); i += stride, ++tried) {
      const Vector3d& p = shells_.welded.vertices[shell.rim[i][0]];
      count += std::any_of(other.rim.begin(), other.rim.end(), [&](const std::array<int, 2>& edge) {
        const Vector3d &a = shells_.welded.vertices[edge[0]], d = shells_.welded.vertices[edge[1]] - a;
        const double along = std::clamp((p - a).dot(d) / d.squaredNorm(), 0.0, 1.0);
        return (a + along * d - p).squaredNorm() <= near * near;
      });
    }
    return 2 * count > tried;
  }

  void join_scraps() {
    std::map<int, std::pair<double, double>> sizes;  // volume and area of each group
    std::map<int, bool> is_closed;
    for (int s = 0; s < std::ssize(group_); ++s) {
      auto& [volume, area] = sizes[find(s)];
      volume += shells_.shells[s].volume;
      area += shells_.shells[s].area;
      const auto [at, is_new] = is_closed.try_emplace(find(s), true);
      at->second = at->second && is_solid(shells_.shells[s]);
    }
    std::vector<Vector3d> points;
    std::vector<int> owner;
    std::vector<int> small;
    for (const auto& [g, size] : sizes) {
      const bool is_scrap =
          is_closed[g] ? std::abs(size.first) < kScrapVolume * volume_ : size.second < kScrapArea * area_;
      if (is_scrap) small.push_back(g);
    }
    if (small.size() == sizes.size()) return;
    for (int s = 0; s < std::ssize(group_); ++s) {
      if (std::binary_search(small.begin(), small.end(), find(s))) continue;
      for (const int t : shells_.shells[s].triangles) {
        points.push_back(shells_.welded.vertices[shells_.welded.triangles[t][0]]);
        owner.push_back(s);
      }
    }
    const NearestPoint nearest(points);
    for (const int g : small) {
      const int t = shells_.shells[g].triangles.front();
      unite(g, owner[nearest(shells_.welded.vertices[shells_.welded.triangles[t][0]])]);
      ++scraps_;
    }
  }

  const MeshShells& shells_;
  std::vector<int> group_;
  double area_{0.0}, volume_{0.0}, diagonal_{0.0};
  int scraps_{0}, cavities_{0};
};

struct SignedIntegrals {
  SolidMoments moments;  // covariance is meaningless unless the volume is positive
  double closure{0.0};   // |sum of area vectors| / area
};

// As mass_properties(), but without its verdict: surfaces with cracks are nearly closed.
SignedIntegrals integrate(const TriangleMesh& mesh) {
  const geometry::Aabb box = geometry::bounding_box(mesh.vertices);
  const Vector3d reference = 0.5 * (box.lower + box.upper);
  double volume = 0.0, area = 0.0;
  Vector3d first = Vector3d::Zero(), closure = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Vector3d a = mesh.vertices[t[0]] - reference, b = mesh.vertices[t[1]] - reference,
                   c = mesh.vertices[t[2]] - reference, s = a + b + c, n = (b - a).cross(c - a);
    const double d = a.dot(b.cross(c));
    volume += d / 6.0;
    first += d / 24.0 * s;
    second += d / 120.0 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    closure += 0.5 * n;
    area += 0.5 * n.norm();
  }
  SignedIntegrals result;
  result.closure = area > 0.0 ? closure.norm() / area : 1.0;
  result.moments.volume = volume;
  if (volume != 0.0) {
    const Vector3d centroid = first / volume;
    result.moments.centroid = reference + centroid;
    result.moments.covariance = second / volume - centroid * centroid.transpose();
  }
  return result;
}

// Inside, or on the surface where it has cracks almost everywhere.
InnerPoints points_of(const TriangleMesh& mesh, const Matrix3d& axes, int wanted) {
  InnerPoints inner = inner_points(mesh, axes, wanted);
  if (std::ssize(inner.points) >= std::min(40, wanted)) return inner;
  math::RandomStream random(0);
  inner = {};
  for (const geometry::SurfaceSample& sample : geometry::sample_surface(mesh, wanted, random))
    inner.points.push_back(sample.point);
  return inner;
}

// Volume and samples of a surface that is not closed: by its winding number, or its hull where that encloses nothing.
bool fill_open(const std::string& name, const std::string& why, MeshPiece& piece,
               std::vector<std::string>& problems) {
  try {
    const inertia::Shape shape = inertia::shape_of_mesh(piece.mesh, name, {.fill_points = kFillPoints});
    piece.moments.volume = std::accumulate(shape.volumes.begin(), shape.volumes.end(), 0.0);
    for (std::size_t i = 0; i < shape.points.size(); ++i)
      piece.samples.push_back({shape.points[i], shape.volumes[i], 0});
    problems.push_back(name + " " + why + ": its volume is that of its winding number or hull, not exact");
    return piece.moments.volume > 0.0;
  } catch (const model::InputError&) {
    return false;
  }
}

// About the axes of the spread, the shortest last. Where a symmetry leaves them open, so that rounding would choose, those of the mesh's
// frame: it counts for a thousandth.
Matrix3d spread_axes(const Matrix3d& covariance) {
  const Matrix3d tilted =
      covariance + 1e-3 * covariance.trace() * Vector3d(1.0, 0.6, 0.1).asDiagonal().toDenseMatrix();
  Matrix3d axes = Eigen::SelfAdjointEigenSolver<Matrix3d>(tilted).eigenvectors().rowwise().reverse();
  for (int k = 0; k < 3; ++k)  // their signs are chance
    if (own_rank(axes.col(k)) < 0.0) axes.col(k) = -axes.col(k);
  return axes;
}

void measure(int number, int wanted, MeshPiece& piece, std::vector<std::string>& problems) {
  SignedIntegrals integrals = integrate(piece.mesh);
  const std::string name =
      "piece " + std::to_string(number) + " (" + std::to_string(piece.triangles.size()) + " triangles)";
  if (integrals.moments.volume < 0.0 && integrals.closure < kCracks) {
    for (Eigen::Vector3i& t : piece.mesh.triangles) std::swap(t[0], t[1]);
    integrals = integrate(piece.mesh);
  }
  bool is_crossed = false;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> spread(integrals.moments.covariance);
  if (integrals.closure < kCracks && integrals.moments.volume > 0.0 && spread.eigenvalues()[0] > 0.0) {
    piece.moments = integrals.moments;
    const InnerPoints inner = points_of(piece.mesh, spread_axes(integrals.moments.covariance), wanted);
    is_crossed = std::max(inner.doubled, inner.reversed) > kCrossed;
    if (!is_crossed) {
      piece.samples = samples_with_moments(inner.points, piece.moments);
      if (!piece.is_exact)
        problems.push_back(name + " has cracks: its volume is that of its triangles as they are");
      return;
    }
  }
  piece.is_exact = false;
  if (!fill_open(name,
                 is_crossed ? "crosses itself, so that some of it would count twice" : "is open or one-sided",
                 piece, problems)) {
    piece.samples.clear();
    problems.push_back(name + " encloses no volume and is left out");
  }
}

void say(const MeshShells& shells, const ShellGroups& groups, std::vector<std::string>& problems) {
  int inside_out = 0, nested = 0, flat = 0, turned = 0;
  for (const MeshShell& shell : shells.shells) {
    inside_out += shell.is_inside_out;
    nested += shell.is_nested_outward;
    flat += shell.is_flat;
    turned += shell.turned;
  }
  const auto tell = [&](int count, const std::string& one, const std::string& many) {
    if (count > 0) problems.push_back(count == 1 ? "one " + one : std::to_string(count) + " " + many);
  };
  tell(inside_out, "shell is inside out; it was turned", "shells are inside out; they were turned");
  tell(turned, "triangle was turned to face as its neighbours do",
       "triangles were turned to face as their neighbours do");
  tell(nested, "shell lies inside another that has no cavity for it: that volume counts in both parts",
       "shells lie inside others that have no cavity for them: that volume counts in both parts");
  tell(groups.cavities(), "shell is a cavity of the part around it",
       "shells are cavities of the parts around them");
  tell(flat, "shell is flat and encloses nothing", "shells are flat and enclose nothing");
  tell(static_cast<int>(
           std::count_if(shells.repeat_of.begin(), shells.repeat_of.end(), [](int t) { return t >= 0; })),
       "triangle is there twice and counts once", "triangles are there more than once and count once");
  tell(groups.scraps(), "scrap too small to be a part was joined to the nearest",
       "scraps too small to be parts were joined to the nearest");
}

using PiecePair = std::pair<std::size_t, std::size_t>;

// Samples of one piece inside another: interiors that meet, while parts that merely touch share a surface.
class Overlaps {
 public:
  explicit Overlaps(const std::vector<MeshPiece>& pieces) : pieces_(pieces) {
    for (const MeshPiece& piece : pieces) boxes_.push_back(geometry::bounding_box(piece.mesh.vertices));
    for (std::size_t b = 0; b < pieces.size(); ++b)
      for (std::size_t a = 0; a < pieces.size(); ++a)
        if (a != b && !(boxes_[a].lower.array() > boxes_[b].upper.array()).any() &&
            !(boxes_[a].upper.array() < boxes_[b].lower.array()).any())
          pairs_.emplace_back(b, a);
  }

  // But for pairs of which it is said that one lies in the other.
  void say(const std::set<PiecePair>& is_said, std::vector<std::string>& problems) const {
    constexpr std::size_t kMostTests = 40'000, kMostPairs = 20'000, kMostSaid = 20;  // some 0.1 s
    if (pairs_.size() > kMostPairs) {
      problems.push_back("so many pieces may overlap that it was not looked for; what does counts in both");
      return;
    }
    const std::size_t tests =
        std::clamp<std::size_t>(kMostTests / std::max<std::size_t>(1, pairs_.size()), 50, 1000);
    std::size_t said = 0, more = 0;
    std::optional<geometry::TriangleTree> tree;  // built where a sample of another lies in the box
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const auto [b, a] = pairs_[k];
      if (k > 0 && pairs_[k - 1].first != b) tree.reset();
      const double share = is_said.contains({a, b}) ? 0.0 : share_inside(a, b, tests, tree);
      if (share < kCrossed) continue;
      if (++said > kMostSaid) {
        ++more;
        continue;
      }
      char percent[32];
      std::snprintf(percent, sizeof percent, share < 0.01 ? "%.1f" : "%.0f", 100.0 * share);
      problems.push_back("piece " + std::to_string(a) + " overlaps piece " + std::to_string(b) +
                         " by about " + percent + " % of its volume, which counts in both");
    }
    if (more > 0) problems.push_back(std::to_string(more) + " more pairs of pieces overlap");
  }

 private:
  // Two samples at least: a single one may lie on the surface where parts touch.
  double share_inside(std::size_t a, std::size_t b, std::size_t tests,
                      std::optional<geometry::TriangleTree>& tree) const {
    const std::vector<VolumeSample>& samples = pieces_[a].samples;
    const std::size_t stride = std::max<std::size_t>(1, samples.size() / tests);
    int tried = 0, inside = 0;
    for (std::size_t i = 0; i < samples.size(); i += stride, ++tried) {
      const Vector3d& p = samples[i].point;
      if ((p.array() < boxes_[b].lower.array()).any() || (p.array() > boxes_[b].upper.array()).any())
        continue;
      if (!tree) tree.emplace(pieces_[b].mesh);
      inside += tree->contains(p);
    }
    return inside < 2 ? 0.0 : static_cast<double>(inside) / tried;
  }

  const std::vector<MeshPiece>& pieces_;
  std::vector<geometry::Aabb> boxes_;
  std::vector<PiecePair> pairs_;  // whose boxes meet: the one around, the one inside
};

}  // namespace

MeshPieces mesh_pieces(const TriangleMesh& mesh) {
  const MeshShells shells = geometry::find_shells(mesh);
  MeshPieces result;
  result.piece_of.assign(mesh.triangles.size(), -1);
  if (shells.shells.empty()) return result;
  ShellGroups groups(shells);
  say(shells, groups, result.problems);
  result.repeat_of = shells.repeat_of;
  std::map<int, int> number;
  double area = 0.0;
  for (const MeshShell& shell : shells.shells) area += shell.area;
  for (int s = 0; s < std::ssize(shells.shells); ++s) {
    const auto [at, is_new] = number.try_emplace(groups.find(s), static_cast<int>(number.size()));
    if (is_new) result.pieces.emplace_back().is_exact = true;
    MeshPiece& piece = result.pieces[at->second];
    const MeshShell& shell = shells.shells[s];
    const std::size_t first = piece.triangles.size();
    piece.triangles.insert(piece.triangles.end(), shell.triangles.begin(), shell.triangles.end());
    piece.area += shell.area;
    const bool is_scrap = shell.area < kScrapArea * area && shells.shells.size() > 1;
    piece.is_exact = piece.is_exact && (is_scrap || (shell.is_closed && shell.is_oriented));
    TriangleMesh part =
        geometry::submesh(shells.welded, {piece.triangles.begin() + first, piece.triangles.end()});
    if (shell.is_inside_out)
      for (Eigen::Vector3i& t : part.triangles) std::swap(t[0], t[1]);
    piece.mesh = first == 0 ? std::move(part) : geometry::merged(piece.mesh, part);
  }
  std::vector<int> kept_as(result.pieces.size(), -1);
  std::vector<MeshPiece> kept;
  for (int p = 0; p < std::ssize(result.pieces); ++p) {
    MeshPiece& piece = result.pieces[p];
    const int wanted = std::clamp(static_cast<int>(4000.0 * piece.area / area), 200, 4000);
    measure(p, wanted, piece, result.problems);
    if (piece.samples.empty()) continue;
    kept_as[p] = static_cast<int>(kept.size());
    for (const int t : piece.triangles) result.piece_of[t] = kept_as[p];
    kept.push_back(std::move(piece));
  }
  result.pieces = std::move(kept);
  std::set<PiecePair> is_said;
  for (int s = 0; s < std::ssize(shells.shells); ++s) {
    if (!shells.shells[s].is_nested_outward) continue;
    const int a = kept_as[number.at(groups.find(s))];
    for (const int around : shells.shells[s].inside_of)
      is_said.emplace(a, kept_as[number.at(groups.find(around))]);
  }
  // What lies in another takes a share of that one too.
  for (const auto& [a, b] : std::vector<PiecePair>(is_said.begin(), is_said.end())) is_said.emplace(b, a);
  Overlaps(result.pieces).say(is_said, result.problems);
  return result;
}

}  // namespace prehend::parts
