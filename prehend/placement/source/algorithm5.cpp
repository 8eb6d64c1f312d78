// Placement planning from static robustness: algorithm 5 of N, with the corrections noted beside its equations.
//
// An iteration draws two points of the scene, looks for two features of the object that fit both normals and the distance, and proposes the pose.
// Where several fit, a random one is taken, as in the source. Poses that pass its checks (force_checks.h) are judged by the verifier, with exact cones.
#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Geometry>

#include <prehend/math/enum_text.h>
#include <prehend/placement/planning/trial_count.h>
#include <prehend/placement/source/algorithm5.h>
#include <prehend/placement/source/force_checks.h>
#include <prehend/placement/source/object_features.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;

// Poses that are proposed, as in the source's experiments, and pairs of points that are drawn for one at most.
constexpr long kMostProposals = 500;
constexpr int kMostPointPairs = 400;
// Features of the object that are tried with one pair of points; of finer objects that many are drawn.
constexpr std::size_t kMostTriedFeatures = 40;
// [rad] Normals closer than this are parallel: one pose from four points, none from two planes.
constexpr double kParallelNormals = 1e-6;

class Algorithm5 final : public CandidateSource {
 public:
  Algorithm5(const Problem& problem, const ScenePointOptions& options)
      : problem_(problem),
        by_robustness_(options.by_robustness),
        random_(problem.options.seed, 33),
        features_(object_features(problem)),
        checks_(problem),
        com_(problem.body().inertia.com),
        count_(problem.options.count, kMostProposals * problem.options.count) {
    points_ = sample_scene(problem, random_, options);
    weights_ = weights_of(points_);
    measure_object();
  }

  std::optional<math::Pose> next() override {
    if (points_.size() < 2 || features_.empty()) return std::nullopt;
    while (count_.begin() && !problem_.is_out_of_time()) {
      const std::optional<math::Pose> pose = proposal();
      if (!pose) return std::nullopt;
      const ForceCheck check = checks_.of(*pose);
      if (check == ForceCheck::passed) return pose;
      ++rejected_[enum_text(check)];
    }
    return std::nullopt;
  }
  std::map<std::string, long> rejected() const override { return rejected_; }
  void observe(const Verdict& verdict) override { count_.observe(verdict); }
  std::string tried() const override {
    if (points_.size() < 2) return "there is nothing that the object may touch";
    return std::to_string(iterations_) + " pairs of points of the scene gave " + std::to_string(proposed_) +
           " poses of the object, and none of them is a placement";
  }

 private:
  std::optional<math::Pose> proposal() {
    for (int k = 0; k < kMostPointPairs; ++k) {
      ++iterations_;
      if (const std::optional<math::Pose> pose = iteration()) return pose;
    }
    return std::nullopt;
  }

  // Diameter, and direction of the longest extent.
  void measure_object() {
    std::vector<Vector3d> corners;
    Eigen::AlignedBox3d box;
    for (const PreparedGeom& geom : problem_.own) {
      for (const Vector3d& v : geom.polyhedron.vertices()) box.extend(geom.X_BG * v);
    }
    diameter_ = box.diagonal().norm();
    int longest = 0;
    box.sizes().maxCoeff(&longest);
    along_ = Vector3d::Unit(longest);
  }

  // One of the points, by their probabilities, within reach of another: the rest could not be met by the object, so they need no draw.
  int draw(const std::vector<double>& probability, int other) {
    double sum = 0.0;
    sums_.assign(points_.size(), 0.0);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const bool is_near = other < 0 || (static_cast<int>(i) != other &&
                                         (points_[i].p_W - points_[static_cast<std::size_t>(other)].p_W).norm() <= diameter_);
      if (is_near) sum += probability[i];
      sums_[i] = sum;
    }
    if (!(sum > 0.0)) return -1;
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), random_.uniform() * sum);
    return static_cast<int>(std::min<std::ptrdiff_t>(found - sums_.begin(), static_cast<std::ptrdiff_t>(points_.size()) - 1));
  }

  std::optional<math::Pose> iteration() {
    const std::vector<double> probability =
        by_robustness_ ? probabilities(points_, weights_, iterations_ - 1)
                       : std::vector<double>(points_.size(), 1.0 / static_cast<double>(points_.size()));
    const int i = draw(probability, -1);
    const int j = i < 0 ? -1 : draw(probability, i);
    if (j < 0) return std::nullopt;
    const SampledPoint &first = points_[static_cast<std::size_t>(i)], &second = points_[static_cast<std::size_t>(j)];
    ScenePoint a{first.p_W, first.n_W}, b{second.p_W, second.n_W};
    choose_normals(first, second, a, b);
    std::vector<math::Pose> poses;
    collect(a, b, first.cone_W.empty(), second.cone_W.empty(), poses);
    if (poses.empty()) return std::nullopt;
    ++proposed_;
    return poses[random_.below(static_cast<std::uint32_t>(poses.size()))];
  }

  // Edges and corners have no normal of their own: the one that both points share, if there is any, otherwise a random one of their cones.
  void choose_normals(const SampledPoint& first, const SampledPoint& second, ScenePoint& a, ScenePoint& b) {
    if (first.cone_W.empty() && second.cone_W.empty()) return;
    std::vector<Vector3d> shared;
    for (const SampledPoint* point : {&first, &second}) {
      if (point->cone_W.empty()) shared.push_back(point->n_W);
    }
    const Vector3d line = (first.p_W - second.p_W).normalized();
    if (shared.empty()) {
      // Square to the line between them and to the edges: one normal; of two corners the one nearest to the vertical.
      Vector3d n = problem_.up_W - problem_.up_W.dot(line) * line;
      for (const SampledPoint* point : {&first, &second}) {
        if (point->cone_W.size() == 2) n = point->cone_W[0].cross(point->cone_W[1]).cross(line);
      }
      if (n.dot(problem_.up_W) < 0.0) n = -n;
      if (n.norm() > 1e-9) shared.push_back(n.normalized());
    }
    for (const Vector3d& n : shared) {
      if (std::abs(n.dot(line)) < 1e-9 && in_normal_cone(first, n) && in_normal_cone(second, n)) {
        a.n_W = b.n_W = n;
        return;
      }
    }
    for (const auto& [point, chosen] : {std::pair{&first, &a}, std::pair{&second, &b}}) {
      if (point->cone_W.empty()) continue;
      Vector3d n = Vector3d::Zero();
      for (const Vector3d& face : point->cone_W) n += random_.uniform() * face;
      if (n.norm() > 1e-9) chosen->n_W = n.normalized();
    }
  }

  void collect(const ScenePoint& a, const ScenePoint& b, bool a_on_face, bool b_on_face, std::vector<math::Pose>& poses) {
    const std::size_t count = std::min(features_.size(), kMostTriedFeatures);
    std::vector<const ObjectFeature*> tried;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t which =
          count == features_.size() ? k : random_.below(static_cast<std::uint32_t>(features_.size()));
      tried.push_back(&features_[which]);
    }
    const double cosine = a.n_W.dot(b.n_W), sine = a.n_W.cross(b.n_W).norm();
    for (const ObjectFeature* first : tried) {
      for (const ObjectFeature* second : tried) {
        // On an edge or a corner of the scene only a face can rest.
        if ((first->is_edge && !a_on_face) || (second->is_edge && !b_on_face)) continue;
        if (sine < kParallelNormals) {
          if (cosine > 0.0) by_four_points(a, b, *first, *second, poses);
        } else {
          by_two_planes(a, b, cosine, *first, *second, poses);
        }
      }
    }
  }

  void by_four_points(const ScenePoint& a, const ScenePoint& b, const ObjectFeature& first, const ObjectFeature& second,
                      std::vector<math::Pose>& poses) {
    const std::optional<PointPair> pair = points_on(first, second, along_, com_, (a.p_W - b.p_W).norm());
    if (!pair) return;
    const std::optional<math::Pose> pose = pose_from_points(a, b, *pair, first.n);
    if (!pose) return;
    const Eigen::Quaterniond q_OW = pose->q().conjugate();
    if (first.affords(q_OW * a.n_W, 1e-8) && second.affords(q_OW * b.n_W, 1e-8)) poses.push_back(*pose);
  }

  void by_two_planes(const ScenePoint& a, const ScenePoint& b, double cosine, const ObjectFeature& first, const ObjectFeature& second,
                     std::vector<math::Pose>& poses) {
    if (first.is_edge && !second.is_edge) {  // the face decides: the other way round
      by_two_planes(b, a, cosine, second, first, poses);
      return;
    }
    const double share = first.is_edge ? random_.uniform() : 0.0;
    for (const auto& [m_a, m_b] : normals_at(first, second, cosine, share)) {
      const std::optional<math::Pose> pose = pose_from_planes(a, b, {m_a, first.p}, {m_b, second.p}, com_);
      if (pose) poses.push_back(*pose);
    }
  }

  const Problem& problem_;
  bool by_robustness_;
  math::RandomStream random_;
  std::vector<ObjectFeature> features_;
  ForceChecks checks_;
  std::map<std::string, long> rejected_;
  Vector3d com_, along_{Vector3d::UnitX()};
  double diameter_{0.0};
  TrialCount count_;
  std::vector<SampledPoint> points_;
  PointWeights weights_;
  std::vector<double> sums_;
  long iterations_{0}, proposed_{0};
};

}  // namespace

std::unique_ptr<CandidateSource> algorithm5_source(const Problem& problem, bool by_robustness) {
  ScenePointOptions options;
  options.by_robustness = by_robustness;
  return algorithm5_source(problem, options);
}

std::unique_ptr<CandidateSource> algorithm5_source(const Problem& problem, const ScenePointOptions& options) {
  return std::make_unique<Algorithm5>(problem, options);
}

}  // namespace prehend::placement
