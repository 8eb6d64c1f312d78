#include <algorithm>
#include <cmath>
#include <map>

#include <prehend/geometry/house/convex_pieces.h>
#include <prehend/geometry/hull.h>
#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/tetrahedra.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

// [of the solid's size] Points nearer to a plane lie in it: above the rounding of single-precision meshes, below what engines resolve.
constexpr double kInPlane = 1e-6;
// [of the volume] Unions whose hull is larger by no more are convex; pieces add up to this.
constexpr double kFilled = 1e-6;

struct CuttingPlane {
  Vector3d normal;
  double offset;
};

struct ConvexCell {
  std::vector<Vector3d> points;
  double volume{0.0};
};

// Both planes of every concave edge, each once.
std::vector<CuttingPlane> planes_at_concave_edges(const Polyhedron& solid) {
  std::vector<CuttingPlane> planes;
  const auto add = [&](FaceIndex index) {
    const PolyhedronFace& face = solid.faces()[index];
    for (const CuttingPlane& known : planes) {
      const double sign = known.normal.dot(face.normal) > 0.0 ? 1.0 : -1.0;
      if ((known.normal - sign * face.normal).norm() < kInPlane &&
          std::abs(known.offset - sign * face.offset) < kInPlane * solid.size())
        return;
    }
    planes.push_back({face.normal, face.offset});
  };
  for (const PolyhedronEdge& edge : solid.edges()) {
    if (edge.kind != EdgeKind::concave) continue;
    add(edge.left);
    add(edge.right);
  }
  return planes;
}

// The hull of the points; no volume where they are flat.
ConvexCell cell_of(const std::vector<Vector3d>& points) {
  ConvexCell cell;
  const HullResult hull = convex_hull(points);
  if (hull.status != HullStatus::ok) return cell;
  cell.points = hull.mesh.vertices;
  cell.volume = mass_properties(hull.mesh).volume;
  return cell;
}

// What a convex set of points has on one side of a plane. Segments between the sides meet the plane in points whose hull is the cut.
std::vector<Vector3d> clipped(const std::vector<Vector3d>& points, const std::vector<double>& heights,
                              double sign, double tolerance) {
  std::vector<Vector3d> kept;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (sign * heights[i] >= -tolerance) kept.push_back(points[i]);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (heights[i] <= tolerance) continue;
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (heights[j] >= -tolerance) continue;
      const double share = heights[i] / (heights[i] - heights[j]);
      kept.push_back(points[i] + share * (points[j] - points[i]));
    }
  }
  return kept;
}

using Signature = std::vector<signed char>;

// Cells of the planes' arrangement, with what the solid has of each.
class PlaneCells {
 public:
  PlaneCells(const std::vector<CuttingPlane>& planes, double tolerance, int most_cells)
      : planes_(planes), tolerance_(tolerance), most_cells_(most_cells) {}

  // False where there are too many.
  bool add(const std::vector<Vector3d>& tetrahedron) {
    Signature signature;
    return divide(tetrahedron, signature);
  }

  // One piece for each cell; its parts by themselves where they are several bodies that touch nowhere.
  std::vector<ConvexCell> pieces() const {
    std::vector<ConvexCell> result;
    for (const auto& [signature, parts] : cells_) {
      std::vector<Vector3d> points;
      double volume = 0.0;
      for (const ConvexCell& part : parts) {
        points.insert(points.end(), part.points.begin(), part.points.end());
        volume += part.volume;
      }
      const ConvexCell whole = cell_of(points);
      if (whole.volume > 0.0 && std::abs(whole.volume - volume) <= kFilled * whole.volume)
        result.push_back(whole);
      else
        result.insert(result.end(), parts.begin(), parts.end());
    }
    return result;
  }

 private:
  bool divide(const std::vector<Vector3d>& points, Signature& signature) {
    if (signature.size() == planes_.size()) {
      const ConvexCell cell = cell_of(points);
      if (cell.volume <= 0.0) return true;  // a sliver within the tolerance of a plane
      cells_[signature].push_back(cell);
      return ++count_ <= most_cells_;
    }
    const CuttingPlane& plane = planes_[signature.size()];
    std::vector<double> heights;
    for (const Vector3d& point : points) heights.push_back(plane.normal.dot(point) - plane.offset);
    const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
    for (const double sign : {1.0, -1.0}) {
      const bool is_here = sign > 0.0 ? *high > tolerance_ : *low < -tolerance_;
      if (!is_here) continue;
      const bool is_cut = *high > tolerance_ && *low < -tolerance_;
      signature.push_back(static_cast<signed char>(sign));
      const bool goes_on = divide(is_cut ? clipped(points, heights, sign, tolerance_) : points, signature);
      signature.pop_back();
      if (!goes_on) return false;
    }
    return true;
  }

  const std::vector<CuttingPlane>& planes_;
  double tolerance_;
  int most_cells_, count_{0};
  std::map<Signature, std::vector<ConvexCell>> cells_;
};

bool boxes_touch(const Aabb& a, const Aabb& b, double tolerance) {
  return ((a.lower - b.upper).array() <= tolerance).all() && ((b.lower - a.upper).array() <= tolerance).all();
}

// Pairs whose union is convex become one, the largest union first.
void join(std::vector<ConvexCell>& pieces, double tolerance) {
  struct Union {
    std::size_t a, b;
    ConvexCell cell;
  };
  std::vector<Union> unions;
  const auto try_pair = [&](std::size_t a, std::size_t b) {
    const ConvexCell &one = pieces[a], &other = pieces[b];
    if (!boxes_touch(bounding_box(one.points), bounding_box(other.points), tolerance)) return;
    std::vector<Vector3d> points = one.points;
    points.insert(points.end(), other.points.begin(), other.points.end());
    ConvexCell both = cell_of(points);
    if (both.volume - one.volume - other.volume <= kFilled * both.volume) unions.push_back({a, b, both});
  };
  for (std::size_t b = 1; b < pieces.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) try_pair(a, b);
  while (!unions.empty()) {
    const auto largest = std::max_element(unions.begin(), unions.end(), [](const Union& x, const Union& y) {
      return x.cell.volume < y.cell.volume;
    });
    const Union chosen = *largest;
    std::erase_if(unions, [&](const Union& u) {
      return u.a == chosen.a || u.b == chosen.a || u.a == chosen.b || u.b == chosen.b;
    });
    pieces[chosen.a].points.clear();
    pieces[chosen.b].points.clear();
    pieces.push_back(chosen.cell);
    for (std::size_t a = 0; a + 1 < pieces.size(); ++a)
      if (!pieces[a].points.empty()) try_pair(a, pieces.size() - 1);
  }
  std::erase_if(pieces, [](const ConvexCell& piece) { return piece.points.empty(); });
}

ConvexPieces refused(ConvexPiecesStatus status, std::string message) {
  ConvexPieces result;
  result.status = status;
  result.message = std::move(message);
  return result;
}

}  // namespace

const char* to_string(ConvexPiecesStatus status) { return enum_text(status); }

void ConvexPiecesOptions::validate() const {
  const math::OptionCheck check("ConvexPiecesOptions");
  check.at_least("most_planes", most_planes, 1);
  check.at_least("most_cells", most_cells, 1);
}

ConvexPieces convex_pieces(const Polyhedron& solid, const ConvexPiecesOptions& options) {
  options.validate();
  const std::vector<CuttingPlane> planes = planes_at_concave_edges(solid);
  if (static_cast<int>(planes.size()) > options.most_planes)
    return refused(ConvexPiecesStatus::too_many,
                   std::to_string(planes.size()) + " planes at concave edges; at most " +
                       std::to_string(options.most_planes) + " are divided into convex pieces");
  TetrahedraOptions coarse;
  coarse.improvement_passes = 0;
  const Tetrahedra tetrahedra = tetrahedralize(solid.mesh(), coarse);
  if (tetrahedra.status != TetrahedraStatus::ok)
    return refused(ConvexPiecesStatus::failed, "no tetrahedra: " + tetrahedra.message);
  const double tolerance = kInPlane * solid.size();
  PlaneCells arrangement(planes, tolerance, options.most_cells);
  for (const Eigen::Vector4i& t : tetrahedra.tetrahedra) {
    std::vector<Vector3d> corners;
    for (int k = 0; k < 4; ++k) corners.push_back(tetrahedra.vertices[static_cast<std::size_t>(t[k])]);
    if (!arrangement.add(corners))
      return refused(ConvexPiecesStatus::too_many, "more than " + std::to_string(options.most_cells) +
                                                       " cells between the planes at concave edges");
  }
  std::vector<ConvexCell> pieces = arrangement.pieces();
  join(pieces, tolerance);
  double volume = 0.0;
  for (const ConvexCell& piece : pieces) volume += piece.volume;
  // Slivers within the tolerance of a plane are left out: a share of the surface's volume within it.
  if (std::abs(volume - tetrahedra.surface_volume) > 1e2 * kFilled * tetrahedra.surface_volume)
    return refused(ConvexPiecesStatus::failed, "the convex pieces do not add up to the solid");
  std::sort(pieces.begin(), pieces.end(),
            [](const ConvexCell& a, const ConvexCell& b) { return a.volume > b.volume; });
  ConvexPieces result;
  result.status = ConvexPiecesStatus::ok;
  for (const ConvexCell& piece : pieces) result.pieces.push_back(convex_hull(piece.points).mesh);
  return result;
}

}  // namespace prehend::geometry
