// The lowest, tightest place over a height map (Wang and Hauser 2021, as N, 5.6.1 describes it).
//
// Orientations that are steady on a level plane, turned about the vertical; for each place of a grid the height at which the object, let down from
// above, first meets the map; candidates by how much they raise the map, least first. When all have failed, the same with tilted orientations. Only
// places where what is met may be touched count. Heights are those of cell centres: on level ground they are exact, elsewhere the pose is closed to exact touch
// if it can be.
#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/placement/baselines/touch.h>
#include <prehend/placement/planning/candidate_source.h>
#include <prehend/placement/planning/trial_count.h>
#include <prehend/placement/planning/vicinity.h>
#include <prehend/placement/search/resting_face.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr long kMostCandidates = 500;
// [m] Cells of the map, unless the bodies wanted are so large that more than this many lie side by side; places of the object per side.
constexpr double kCell = 0.005;
constexpr int kMostCells = 160, kMostPlaces = 40;
// Cells of the object per side: those of large objects are coarser.
constexpr int kMostOwnCells = 30;
constexpr int kFaces = 4, kYaws = 8;
// [rad] Tilts of the refined search.
constexpr double kTilt = 0.2;
// [m] Gaps that are closed.
constexpr double kCloseTo = 1e-3;

// Heights over a grid of cell centres, with the body that is highest.
struct HeightMap {
  Vector2d origin{Vector2d::Zero()};
  double cell{kCell};
  int nx{0}, ny{0};
  std::vector<double> top, bottom;
  std::vector<model::BodyIndex> body;

  HeightMap(const Vector2d& low, const Vector2d& high, double size) : origin(low), cell(size) {
    nx = std::max(1, static_cast<int>(std::ceil((high.x() - low.x()) / size)));
    ny = std::max(1, static_cast<int>(std::ceil((high.y() - low.y()) / size)));
    const auto count = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
    top.assign(count, -std::numeric_limits<double>::infinity());
    bottom.assign(count, std::numeric_limits<double>::infinity());
    body.assign(count, model::BodyIndex());
  }
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(j) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(i); }
  Vector2d centre(int i, int j) const { return origin + cell * Vector2d(i + 0.5, j + 0.5); }

  void add(const std::array<Vector3d, 3>& t, model::BodyIndex owner) {
    const Vector2d a = t[0].head<2>(), u = t[1].head<2>() - a, v = t[2].head<2>() - a;
    const double det = u.x() * v.y() - u.y() * v.x();
    if (std::abs(det) < 1e-14) return;
    const Vector2d low = t[0].head<2>().cwiseMin(t[1].head<2>()).cwiseMin(t[2].head<2>()),
                   high = t[0].head<2>().cwiseMax(t[1].head<2>()).cwiseMax(t[2].head<2>());
    const auto first = [&](double from, double start) { return std::max(0, static_cast<int>(std::floor((from - start) / cell - 0.5))); };
    const int i1 = std::min(nx - 1, static_cast<int>(std::min((high.x() - origin.x()) / cell, 1e6)));
    const int j1 = std::min(ny - 1, static_cast<int>(std::min((high.y() - origin.y()) / cell, 1e6)));
    for (int j = first(low.y(), origin.y()); j <= j1; ++j) {
      for (int i = first(low.x(), origin.x()); i <= i1; ++i) {
        const Vector2d d = centre(i, j) - a;
        const double s = (d.x() * v.y() - d.y() * v.x()) / det, r = (u.x() * d.y() - u.y() * d.x()) / det;
        if (s < -1e-9 || r < -1e-9 || s + r > 1.0 + 1e-9) continue;
        const double z = t[0].z() + s * (t[1].z() - t[0].z()) + r * (t[2].z() - t[0].z());
        const std::size_t k = at(i, j);
        if (z > top[k]) {
          top[k] = z;
          body[k] = owner;
        }
        bottom[k] = std::min(bottom[k], z);
      }
    }
  }
};

struct Raised {
  math::Pose X_WO;
  double score{0.0};  // [m^3] by which it raises the map
};

class HeightMapSearch final : public CandidateSource {
 public:
  explicit HeightMapSearch(const Problem& problem)
      : problem_(problem), vicinity_(problem), touch_(problem), count_(problem.options.count, kMostCandidates * problem.options.count) {}

  std::optional<math::Pose> next() override {
    if (vicinity_.wanted_U().isEmpty()) return std::nullopt;
    while (used_ >= raised_.size()) {
      if (phase_ >= 2) return std::nullopt;
      search(phase_++ == 1);
    }
    if (!count_.begin()) return std::nullopt;
    const math::Pose& pose = raised_[used_++].X_WO;
    const std::optional<math::Pose> closed = touch_.closed(pose, std::min(kCloseTo, 0.05 * vicinity_.radius()));
    return closed ? *closed : pose;
  }
  void observe(const Verdict& verdict) override { count_.observe(verdict); }
  std::string tried() const override {
    return "none of " + std::to_string(count_.begun()) + " places of least height is a placement";
  }

 private:
  void search(bool is_tilted) {
    raised_.clear();
    used_ = 0;
    if (!map_) build_map();
    const Eigen::Matrix3d& R_WU = vicinity_.R_WU();
    for (const RestingFace& face : resting_faces(problem_, kFaces)) {
      for (int k = 0; k < kYaws; ++k) {
        const Eigen::Matrix3d flat = face.orientation(problem_.up_W, R_WU.col(0), 2.0 * math::kPi * k / kYaws);
        if (!is_tilted) {
          lay(flat);
          continue;
        }
        for (const double angle : {kTilt, -kTilt}) {
          for (const int axis : {0, 1}) lay(Eigen::AngleAxisd(angle, Vector3d(R_WU.col(axis))).toRotationMatrix() * flat);
        }
      }
    }
    std::stable_sort(raised_.begin(), raised_.end(), [](const Raised& a, const Raised& b) { return a.score < b.score; });
    if (raised_.size() > static_cast<std::size_t>(kMostCandidates)) raised_.resize(static_cast<std::size_t>(kMostCandidates));
  }

  void build_map() {
    const Eigen::AlignedBox3d& box = vicinity_.wanted_U();
    const double reach = vicinity_.radius();
    const Vector2d low = box.min().head<2>().array() - reach, high = box.max().head<2>().array() + reach;
    double cell = std::max(kCell, (high - low).maxCoeff() / kMostCells);
    cell = std::max(std::min(cell, 0.1 * reach), 2.0 * reach / kMostOwnCells);
    map_ = std::make_unique<HeightMap>(low, high, cell);
    for (const PreparedGeom& geom : problem_.others) add(*map_, geom, math::Pose(vicinity_.R_WU().transpose(), Vector3d::Zero()) * geom.X_WG);
  }

  static void add(HeightMap& map, const PreparedGeom& geom, const math::Pose& X_UG) {
    const geometry::TriangleMesh& mesh = geom.polyhedron.mesh();
    for (const Eigen::Vector3i& t : mesh.triangles) {
      const auto corner = [&](int k) { return X_UG * mesh.vertices[static_cast<std::size_t>(t[k])]; };
      map.add({corner(0), corner(1), corner(2)}, geom.ref.body);
    }
  }

  // The object in one orientation, over all places.
  void lay(const Eigen::Matrix3d& R_WO) {
    const math::Pose X_UO(Eigen::Quaterniond(Eigen::Matrix3d(vicinity_.R_WU().transpose() * R_WO)).normalized(), Vector3d::Zero());
    Eigen::AlignedBox3d box;
    for (const PreparedGeom& geom : problem_.own) {
      for (const Vector3d& v : geom.polyhedron.vertices()) box.extend(X_UO * (geom.X_BG * v));
    }
    HeightMap own(box.min().head<2>(), box.max().head<2>(), map_->cell);
    for (const PreparedGeom& geom : problem_.own) add(own, geom, X_UO * geom.X_BG);
    const int stride = std::max(1, std::max(map_->nx - own.nx, map_->ny - own.ny) / kMostPlaces);
    for (int j = 0; j + own.ny <= map_->ny; j += stride) {
      for (int i = 0; i + own.nx <= map_->nx; i += stride) place_at(own, i, j, R_WO);
    }
  }

  void place_at(const HeightMap& own, int i0, int j0, const Eigen::Matrix3d& R_WO) {
    double z = -std::numeric_limits<double>::infinity();
    model::BodyIndex met;
    for (int j = 0; j < own.ny; ++j) {
      for (int i = 0; i < own.nx; ++i) {
        const std::size_t k = map_->at(i0 + i, j0 + j);
        const double needed = map_->top[k] - own.bottom[own.at(i, j)];
        if (needed > z) {
          z = needed;
          met = map_->body[k];
        }
      }
    }
    if (!std::isfinite(z) || !met.is_valid() || !problem_.may_touch[met]) return;
    double raised = 0.0;
    const double ground = vicinity_.all_U().min().z();
    for (int j = 0; j < own.ny; ++j) {
      for (int i = 0; i < own.nx; ++i) {
        const double high = own.top[own.at(i, j)] + z, before = std::max(map_->top[map_->at(i0 + i, j0 + j)], ground);
        if (std::isfinite(high)) raised += std::max(high - before, 0.0);
      }
    }
    const Vector2d shift = map_->origin + map_->cell * Vector2d(i0, j0) - own.origin;
    raised_.push_back({math::Pose(R_WO, vicinity_.R_WU() * Vector3d(shift.x(), shift.y(), z)), raised * own.cell * own.cell});
  }

  const Problem& problem_;
  Vicinity vicinity_;
  Touch touch_;
  TrialCount count_;
  std::unique_ptr<HeightMap> map_;
  std::vector<Raised> raised_;
  std::size_t used_{0};
  int phase_{0};
};

}  // namespace

std::unique_ptr<CandidateSource> heightmap_source(const Problem& problem) { return std::make_unique<HeightMapSearch>(problem); }

}  // namespace prehend::placement
