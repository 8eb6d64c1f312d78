// The planner `auto`: faces of the object on support planes, exact free translations, then planes across parts, then descent.
#include <algorithm>
#include <cmath>
#include <deque>

#include <Eigen/Geometry>

#include <prehend/placement/planning/candidate_source.h>
#include <prehend/placement/search/descent.h>
#include <prehend/placement/search/impossible.h>
#include <prehend/placement/search/lying.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Sides of the object that are tried; scans have thousands, of which few are steady.
constexpr std::size_t kMostFaces = 24;
// Yaws of one face on one plane: those that put edges along edges, and an even spread.
constexpr std::size_t kMostYaws = 16;
constexpr int kEvenYaws = 8;
// Poses of one slot that are verified when the first one fails.
constexpr std::size_t kPosesOfSlot = 3;
// For an objective: slots that are estimated, the best of them that are verified, and verified steps of the refinement.
constexpr int kMostEstimated = 160;
constexpr std::size_t kMostVerified = 8;
constexpr int kMostRefinements = 16;

void add_yaw(std::vector<double>& yaws, double yaw) {
  yaw = std::remainder(yaw, 2.0 * M_PI);
  if (yaws.size() < kMostYaws &&
      std::none_of(yaws.begin(), yaws.end(), [&](double y) { return std::abs(std::remainder(y - yaw, 2.0 * M_PI)) < 1e-6; }))
    yaws.push_back(yaw);
}

// Angles of the longest sides, each once.
std::vector<double> side_angles(const std::vector<const Corners2*>& polygons, std::size_t most) {
  std::vector<std::pair<double, double>> sides;  // length, angle
  for (const Corners2* polygon : polygons) {
    for (std::size_t i = 0; i < polygon->size() && polygon->size() > 1; ++i) {
      const Vector2d along = (*polygon)[(i + 1) % polygon->size()] - (*polygon)[i];
      sides.emplace_back(along.norm(), std::atan2(along.y(), along.x()));
    }
  }
  std::stable_sort(sides.begin(), sides.end(), [](const auto& a, const auto& b) { return a.first > b.first + 1e-12; });
  std::vector<double> angles;
  for (const auto& [length, angle] : sides) {
    if (angles.size() >= most) break;
    if (std::none_of(angles.begin(), angles.end(),
                     [&, a = angle](double known) { return std::abs(std::remainder(known - a, M_PI)) < 1e-6; }))
      angles.push_back(angle);
  }
  return angles;
}

std::vector<double> yaws_of(const SupportPlane& plane, const RestingFace& face) {
  std::vector<const Corners2*> regions;
  for (const SupportRegion& region : plane.regions) regions.push_back(&region.corners);
  std::vector<double> yaws;
  const std::vector<double> own = side_angles({&face.hull}, 2), scene = side_angles(regions, 3);
  for (const double b : own) {
    for (const double a : scene) {
      add_yaw(yaws, a - b);
      add_yaw(yaws, a - b + 0.5 * M_PI);
    }
  }
  for (int i = 0; i < kEvenYaws; ++i) add_yaw(yaws, 2.0 * M_PI * i / kEvenYaws);
  return yaws;
}

struct Found {
  double estimate{0.0};
  std::shared_ptr<const Lying> lying;
  Vector2d t{Vector2d::Zero()};
};

class AutomaticSource : public CandidateSource {
 public:
  explicit AutomaticSource(const Problem& problem)
      : problem_(problem),
        parts_(problem),
        loads_(problem),
        faces_(resting_faces(problem, kMostFaces)),
        impossible_(why_impossible(problem)) {
    if (problem.options.upright) keep_upright_faces();
    stages_.push_back(face_planes(problem));
    start_stage();
  }

  std::optional<math::Pose> next() override;
  void told(const Verdict& verdict) override;
  std::string tried() const override;
  std::string proof() const override { return impossible_; }

 private:
  enum class Phase { lying, bridging, descent, done };

  void keep_upright_faces();
  void start_stage();
  bool next_phase();
  std::optional<Slot> next_slot();
  std::vector<Found> open(const Slot& slot, std::size_t most);
  std::optional<math::Pose> first_of_stage();
  std::optional<math::Pose> best_of_stage();
  std::optional<math::Pose> refined();
  std::optional<math::Pose> offer(const Found& found);
  bool wants_all() const { return problem_.options.objective != Objective::first; }

  const Problem& problem_;
  Parts parts_;
  LoadPolygons loads_;
  std::vector<RestingFace> faces_;
  std::string impossible_;
  Phase phase_{Phase::lying};
  std::deque<std::vector<SupportPlane>> stages_;  // planes by phase; slots point into them
  // Slots of the stage, cheapest first: steady faces and large planes before others.
  struct Order {
    int plane, face, yaw;
  };
  std::vector<Order> order_;
  std::size_t next_order_{0};
  int grasp_{0};
  bool thorough_{false};
  std::deque<Found> queue_;
  bool is_ranked_{false};
  // Refinement of the best found so far.
  std::optional<Found> centre_, trial_;
  double centre_score_{0.0};
  double step_{0.0}, turn_{0.0};
  int direction_{0}, steps_{0}, failures_{0};
  bool improved_{false}, is_level_{true};
  std::optional<Found> last_;
  std::optional<Found> best_;
  double best_score_{-std::numeric_limits<double>::infinity()};
  std::unique_ptr<Descents> descents_;
  long slots_{0}, planes_{0};
  std::size_t verified_{0};
  std::size_t most_verified() const { return std::max(kMostVerified, static_cast<std::size_t>(2 * problem_.options.count)); }
};

void AutomaticSource::keep_upright_faces() {
  // On a level plane the tilt is that of the face; on a slope, up to the slope more or less: faces that can never do are left out.
  double steepest = 0.0;
  for (const PreparedGeom& other : problem_.others) {
    for (const PreparedGeom& own : problem_.own) steepest = std::max(steepest, std::atan(std::max(0.0, problem_.friction(own, other))));
  }
  std::erase_if(faces_, [&](const RestingFace& face) {
    const double tilt = std::acos(std::clamp(-face.n_O.z(), -1.0, 1.0));
    return tilt > *problem_.options.upright + steepest + 1e-6;
  });
}

void AutomaticSource::start_stage() {
  order_.clear();
  next_order_ = 0;
  queue_.clear();
  is_ranked_ = false;
  const std::vector<SupportPlane>& planes = stages_.back();
  planes_ += static_cast<long>(planes.size());
  for (int p = 0; p < static_cast<int>(planes.size()); ++p) {
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
      const SupportPlane& plane = planes[static_cast<std::size_t>(p)];
      const RestingFace& face = faces_[static_cast<std::size_t>(f)];
      if (problem_.options.upright) {
        const Vector3d z = face.orientation(plane.n, plane.u, 0.0) * Vector3d::UnitZ();
        const double most = *problem_.options.upright + 1e-6;
        // On a slope the yaw matters: keep what some yaw allows.
        const double slope = std::acos(std::clamp(plane.n.dot(problem_.up_W), -1.0, 1.0));
        if (std::acos(std::clamp(z.dot(plane.n), -1.0, 1.0)) > most + slope) continue;
      }
      const int count = static_cast<int>(yaws_of(plane, face).size());
      for (int y = 0; y < count; ++y) order_.push_back({p, f, y});
    }
  }
  const auto cost = [](const Order& o) { return 2 * o.plane + 3 * o.face + 2 * o.yaw + (o.plane > 0 && o.face > 0 ? 2 : 0); };
  std::stable_sort(order_.begin(), order_.end(), [&](const Order& a, const Order& b) { return cost(a) < cost(b); });
}

bool AutomaticSource::next_phase() {
  if (phase_ == Phase::lying && !thorough_ && !best_) {
    thorough_ = true;  // once more, along the outlines of what is in the way
    next_order_ = 0;
    is_ranked_ = false;
    return true;
  }
  if (phase_ == Phase::lying) {
    phase_ = Phase::bridging;
    thorough_ = false;
    stages_.push_back(bridging_planes(problem_, parts_.scene(true), parts_.object_size()));
    start_stage();
    return true;
  }
  if (phase_ == Phase::bridging && !thorough_ && !best_) {
    thorough_ = true;
    next_order_ = 0;
    is_ranked_ = false;
    return true;
  }
  if (phase_ == Phase::bridging) {
    phase_ = Phase::descent;
    return true;
  }
  phase_ = Phase::done;
  return false;
}

std::optional<Slot> AutomaticSource::next_slot() {
  if (next_order_ >= order_.size()) return std::nullopt;
  const Order& order = order_[next_order_];
  const std::vector<SupportPlane>& planes = stages_.back();
  const SupportPlane& plane = planes[static_cast<std::size_t>(order.plane)];
  const RestingFace& face = faces_[static_cast<std::size_t>(order.face)];
  Slot slot{&plane, &face, yaws_of(plane, face)[static_cast<std::size_t>(order.yaw)], -1};
  if (problem_.options.grasps) {
    slot.grasp = grasp_;
    grasp_ = (grasp_ + 1) % static_cast<int>(problem_.options.grasps->X_OG.size());
    if (grasp_ == 0) ++next_order_;
  } else {
    ++next_order_;
  }
  ++slots_;
  return slot;
}

std::vector<Found> AutomaticSource::open(const Slot& slot, std::size_t most) {
  std::vector<Found> found;
  const auto lying = std::make_shared<const Lying>(problem_, parts_, loads_, slot, thorough_);
  for (const Vector2d& t : lying->candidates(thorough_)) {
    if (found.size() >= most) break;
    found.push_back({lying->estimate(t), lying, t});
  }
  return found;
}

std::optional<math::Pose> AutomaticSource::offer(const Found& found) {
  last_ = found;
  return found.lying->pose(found.t);
}

std::optional<math::Pose> AutomaticSource::first_of_stage() {
  while (true) {
    if (!queue_.empty()) {
      const Found found = queue_.front();
      queue_.pop_front();
      return offer(found);
    }
    const std::optional<Slot> slot = next_slot();
    if (!slot || problem_.is_out_of_time()) return std::nullopt;
    for (Found& found : open(*slot, kPosesOfSlot)) {
      if (found.lying->standing(found.t).margin >= 0.5 * problem_.options.margin) queue_.push_back(std::move(found));
    }
  }
}

std::optional<math::Pose> AutomaticSource::best_of_stage() {
  if (!is_ranked_) {
    is_ranked_ = true;
    std::vector<Found> all;
    for (int k = 0; k < kMostEstimated; ++k) {
      const std::optional<Slot> slot = next_slot();
      if (!slot || problem_.is_out_of_time()) break;
      for (Found& found : open(*slot, 2)) all.push_back(std::move(found));
    }
    std::stable_sort(all.begin(), all.end(), [](const Found& a, const Found& b) { return a.estimate > b.estimate; });
    // The best of every plane, then of every plane and face, then the rest: estimates of different supports compare badly.
    std::vector<const SupportPlane*> planes;
    std::vector<std::pair<const SupportPlane*, const RestingFace*>> pairs;
    std::vector<Found> second, third;
    for (Found& found : all) {
      const std::pair key(found.lying->slot().plane, found.lying->slot().face);
      const bool is_new_pair = std::find(pairs.begin(), pairs.end(), key) == pairs.end();
      if (is_new_pair) pairs.push_back(key);
      if (std::find(planes.begin(), planes.end(), key.first) == planes.end()) {
        planes.push_back(key.first);
        queue_.push_back(std::move(found));
      } else {
        (is_new_pair ? second : third).push_back(std::move(found));
      }
    }
    for (Found& found : second) queue_.push_back(std::move(found));
    for (Found& found : third) queue_.push_back(std::move(found));
  }
  if (queue_.empty()) return std::nullopt;
  const Found found = queue_.front();
  queue_.pop_front();
  return offer(found);
}

std::optional<math::Pose> AutomaticSource::refined() {
  constexpr int kDirections = 6;  // along u, v and about the normal, both ways
  while (steps_ < kMostRefinements) {
    if (direction_ >= kDirections) {
      direction_ = 0;
      if (is_level_) return std::nullopt;  // nothing near is better or worse: something else is the weakest
      if (!improved_) {
        step_ *= 0.4;
        turn_ *= 0.4;
        if (++failures_ > 1) return std::nullopt;
      }
      improved_ = false;
      is_level_ = true;
    }
    const int k = direction_++;
    Found next = *centre_;
    const double sign = k % 2 == 0 ? 1.0 : -1.0;
    if (k < 4) {
      next.t[k / 2] += sign * step_;
    } else {
      Slot slot = centre_->lying->slot();
      slot.yaw += sign * turn_;
      next.lying = std::make_shared<const Lying>(problem_, parts_, loads_, slot, true);
      // About the centre of mass: its place over the supports stays.
      const Vector3d com = problem_.body().inertia.com;
      const Vector3d moved = centre_->lying->pose(centre_->t) * com - next.lying->pose(Vector2d::Zero()) * com;
      next.t = slot.plane->flat(moved);
    }
    if (!next.lying->is_free(next.t) || !(next.lying->standing(next.t).margin > 0.0)) continue;
    ++steps_;
    trial_ = next;
    return offer(next);
  }
  return std::nullopt;
}

std::optional<math::Pose> AutomaticSource::next() {
  if (!impossible_.empty()) return std::nullopt;
  while (phase_ != Phase::done && !problem_.is_out_of_time()) {
    if (phase_ == Phase::descent) {
      last_.reset();
      if (!descents_) descents_ = std::make_unique<Descents>(problem_, parts_, faces_);
      if (std::optional<math::Pose> pose = descents_->next()) return pose;
      next_phase();
      continue;
    }
    if (!wants_all()) {
      if (std::optional<math::Pose> pose = first_of_stage()) return pose;
      next_phase();
      continue;
    }
    const bool enough = best_ && static_cast<std::size_t>(steps_) == 0 && verified_ >= most_verified();
    if (!centre_ && !enough) {
      if (std::optional<math::Pose> pose = best_of_stage()) {
        ++verified_;
        return pose;
      }
    }
    if (best_ && !centre_) {  // refine what is best so far
      centre_ = best_;
      centre_score_ = best_score_;
      step_ = 0.15 * parts_.object_size();
      turn_ = 0.35;
    }
    if (centre_) {
      if (std::optional<math::Pose> pose = refined()) return pose;
      phase_ = Phase::done;
      return std::nullopt;
    }
    next_phase();
  }
  return std::nullopt;
}

void AutomaticSource::told(const Verdict& verdict) {
  if (descents_ && !last_) descents_->told(verdict);
  if (!last_) return;
  if (verdict.passed() && verdict.score > best_score_) {
    best_ = last_;
    best_score_ = verdict.score;
  }
  if (!trial_) return;
  const double gain = 1e-3 * std::abs(centre_score_);
  if (!verdict.passed() || std::abs(verdict.score - centre_score_) > gain) is_level_ = false;
  if (verdict.passed() && verdict.score > centre_score_ + gain) {
    centre_ = trial_;
    centre_score_ = verdict.score;
    improved_ = true;
    --direction_;  // on in the same direction
  }
  trial_.reset();
}

std::string AutomaticSource::tried() const {
  return "tried " + std::to_string(planes_) + " support planes with " + std::to_string(faces_.size()) +
         " sides of the object, " + std::to_string(slots_) + " combinations with a yaw, and " +
         std::to_string(descents_ ? descents_->started() : 0) + " descents from above";
}

}  // namespace

std::unique_ptr<CandidateSource> automatic_source(const Problem& problem) {
  return std::make_unique<AutomaticSource>(problem);
}

}  // namespace prehend::placement
