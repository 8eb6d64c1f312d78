// The planner `auto`: faces of the object on support planes, exact free translations, then planes across parts, seats on two faces, and descent.
#include <algorithm>
#include <cmath>
#include <deque>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/placement/planning/candidate_source.h>
#include <prehend/placement/search/descent.h>
#include <prehend/placement/search/impossible.h>
#include <prehend/placement/search/refinement.h>
#include <prehend/placement/search/seat.h>

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
// For an objective: slots that are estimated, of faces and of planes across parts, and the best of them that are verified.
constexpr int kMostEstimated = 160, kMostBridging = 48;
constexpr std::size_t kMostVerified = 8, kMostBridgingVerified = 4;
// Of the same face on the same plane, besides the best of them, where one answer is wanted.
constexpr std::size_t kMostAlike = 3;
// Seats that are verified: for an objective, and before an object is let down.
constexpr std::size_t kMostSeats = 8, kMostFirstSeats = 24;
// Places from which is refined, and what the refinement may take in all (cone programs times their contact points): some 20 ms.
constexpr std::size_t kMostStarts = 4;
constexpr double kMostWork = 1.2e4;
constexpr double kWorkOfTrial = 80.0;  // contacts and bookkeeping of one, in the same unit
// Scores from here on are those of what no push moves: nothing is better.
constexpr double kUnbeatable = 1e299;
// An object of more corners than this (scans, turned things) is fine: one slot of it takes milliseconds. Where any placement will do, only the first slots of a stage are tried, up to
// this many corners in all (some 0.5 s), and it is let down so often before the others are. Chosen on two of
// the recorded tools, an Allen key and an adjustable wrench, on a clutter.
constexpr std::size_t kFineCorners = 64, kMostSlotCorners = 100000;
constexpr long kEarlyDescents = 30;
// [m] Height above a plane at which what stands on it is cut: beyond what counts as touching.
constexpr double kStanding = 1e-5;

void add_yaw(std::vector<double>& yaws, double yaw, std::size_t most) {
  yaw = std::remainder(yaw, 2.0 * math::kPi);
  if (yaws.size() < most && std::none_of(yaws.begin(), yaws.end(), [&](double y) {
        return std::abs(std::remainder(y - yaw, 2.0 * math::kPi)) < 1e-6;
      }))
    yaws.push_back(yaw);
}

// Yaws that put the longest sides of the face along sides of the plane's regions, then an even spread; thoroughly: also turned half round, and first along
// what stands on it.
std::vector<double> yaws_of(const SupportPlane& plane, const RestingFace& face, bool thorough,
                            const std::vector<Corners2>& standing) {
  std::vector<const Corners2*> regions, footprints;
  for (const SupportRegion& region : plane.regions) regions.push_back(&region.corners);
  for (const Corners2& footprint : standing) footprints.push_back(&footprint);
  const std::size_t most = kMostYaws + (thorough ? kMostYaws : 0);
  std::vector<double> yaws;
  const std::vector<double> own = longest_sides({&face.hull}, 2);
  for (const auto& sides : {longest_sides(footprints, 4), longest_sides(regions, 3)}) {
    for (const double b : own) {
      for (const double a : sides) {
        add_yaw(yaws, a - b, most);
        add_yaw(yaws, a - b + 0.5 * math::kPi, most);
        if (!thorough) continue;
        add_yaw(yaws, a - b + math::kPi, most);
        add_yaw(yaws, a - b - 0.5 * math::kPi, most);
      }
    }
  }
  for (int i = 0; i < kEvenYaws; ++i) add_yaw(yaws, 2.0 * math::kPi * i / kEvenYaws, most);
  return yaws;
}

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
    start_stage(0);
  }

  std::optional<math::Pose> next() override;
  void observe(const Verdict& verdict) override;
  std::string tried() const override;
  std::string proof() const override { return impossible_; }

 private:
  enum class Phase { lying, bridging, seats, descent, refining, done };

  void keep_upright_faces();
  void start_stage(std::size_t stage);
  bool repeats_thoroughly();
  void try_thoroughly();  // all slots once more, from the first stage on
  std::vector<Corners2> standing_on(const SupportPlane& plane);
  void next_phase();
  std::optional<Slot> next_slot();
  std::vector<Found> open(const Slot& slot, std::size_t most);
  std::optional<math::Pose> first_of_stage();
  std::optional<math::Pose> best_of_stage();
  void rank_stage();
  std::optional<math::Pose> seated();
  std::optional<math::Pose> descended();
  std::optional<math::Pose> refined();
  std::optional<math::Pose> offer(const Found& found);
  bool wants_all() const { return problem_.options.objective != Objective::first; }
  bool is_fine() const { return problem_.own_hull.mesh.vertices.size() > kFineCorners; }
  bool is_early() const { return is_fine() && !wants_all() && !thorough_; }
  std::size_t most_verified() const {
    if (has_found_before_) return kMostBridgingVerified;
    return std::max(kMostVerified, static_cast<std::size_t>(2 * problem_.options.count));
  }

  const Problem& problem_;
  Parts parts_;
  LoadPolygons loads_;
  std::vector<RestingFace> faces_;
  std::string impossible_;
  Phase phase_{Phase::lying};
  std::deque<std::vector<SupportPlane>>
      stages_;  // planes of faces, then those across parts; slots point into them
  std::size_t stage_{0};
  // Slots of the stage, cheapest first: steady faces and large planes before others.
  struct Order {
    int plane, face, yaw;
    double angle;
  };
  std::vector<Order> order_;
  std::size_t next_order_{0};
  int grasp_{0};
  bool thorough_{false};
  std::deque<Found> queue_;
  bool is_ranked_{false};
  std::size_t verified_{0};    // of the stage
  std::optional<Found> last_;  // offered last; none: a seat or a descent
  // What passed, best first: where the refinement starts.
  struct Start {
    double score;
    Found found;
  };
  std::vector<Start> starts_;
  std::size_t next_start_{0};
  std::unique_ptr<Refinement> refinement_;
  std::vector<const RestingFace*> level_faces_;
  double refining_work_{0.0};
  bool has_found_{false}, has_found_before_{false}, is_unbeatable_{false};  // before: in earlier stages
  std::unique_ptr<Seats> seats_;
  std::unique_ptr<Descents> descents_;
  long slots_{0}, planes_{0};
};

void AutomaticSource::keep_upright_faces() {
  // On a level plane the tilt is that of the face; on a slope, up to the slope more or less: faces that can never do are left out.
  double steepest = 0.0;
  for (const PreparedGeom& other : problem_.others) {
    for (const PreparedGeom& own : problem_.own)
      steepest = std::max(steepest, std::atan(std::max(0.0, problem_.friction(own, other))));
  }
  std::erase_if(faces_, [&](const RestingFace& face) {
    const double tilt = std::acos(std::clamp(-face.n_O.z(), -1.0, 1.0));
    return tilt > *problem_.options.upright + steepest + 1e-6;
  });
}

void AutomaticSource::start_stage(std::size_t stage) {
  stage_ = stage;
  order_.clear();
  next_order_ = 0;
  queue_.clear();
  is_ranked_ = false;
  verified_ = 0;
  has_found_before_ = has_found_;
  const std::vector<SupportPlane>& planes = stages_[stage_];
  if (!thorough_) planes_ += static_cast<long>(planes.size());
  for (int p = 0; p < static_cast<int>(planes.size()); ++p) {
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
      const SupportPlane& plane = planes[static_cast<std::size_t>(p)];
      const RestingFace& face = faces_[static_cast<std::size_t>(f)];
      // Of what touches a slope the centre of mass leans out by its height times the slope; never over the face: it tips.
      const double rise = plane.n.dot(problem_.up_W);
      if (face.steadiness <= -std::sqrt(std::max(0.0, 1.0 - rise * rise)) / rise) continue;
      if (problem_.options.upright) {
        const Vector3d z = face.orientation(plane.n, plane.u, 0.0) * Vector3d::UnitZ();
        const double most = *problem_.options.upright + 1e-6;
        // On a slope the yaw matters: keep what some yaw allows.
        const double slope = std::acos(std::clamp(plane.n.dot(problem_.up_W), -1.0, 1.0));
        if (std::acos(std::clamp(z.dot(plane.n), -1.0, 1.0)) > most + slope) continue;
      }
      int y = 0;
      for (const double yaw :
           yaws_of(plane, face, thorough_, thorough_ ? standing_on(plane) : std::vector<Corners2>{}))
        order_.push_back({p, f, y++, yaw});
    }
  }
  const auto cost = [](const Order& o) {
    return 2 * o.plane + 3 * o.face + 2 * o.yaw + (o.plane > 0 && o.face > 0 ? 2 : 0);
  };
  std::stable_sort(order_.begin(), order_.end(),
                   [&](const Order& a, const Order& b) { return cost(a) < cost(b); });
  if (is_early())
    order_.resize(std::min(order_.size(), kMostSlotCorners / problem_.own_hull.mesh.vertices.size()));
}

// Once more, along the outlines of what is in the way. Where any placement will do, seats come first: they are found sooner.
bool AutomaticSource::repeats_thoroughly() {
  if (thorough_ || has_found_ || !wants_all()) return false;
  thorough_ = true;
  start_stage(stage_);
  return true;
}

// Outlines, where they meet the plane, of bodies that stand on it or pierce it.
std::vector<Corners2> AutomaticSource::standing_on(const SupportPlane& plane) {
  std::vector<Corners2> footprints;
  for (const ConvexPart& part : parts_.scene(true)) {
    const PlanePart flat = plane_part(part, plane);
    if (part.round || flat.low > kStanding || flat.high < kStanding) continue;
    Corners2 outline = flat.slice(kStanding);
    const bool is_near =
        std::any_of(plane.regions.begin(), plane.regions.end(),
                    [&](const SupportRegion& region) { return !clip2(outline, region.corners).empty(); });
    if (is_near) footprints.push_back(std::move(outline));
  }
  return footprints;
}

void AutomaticSource::next_phase() {
  switch (phase_) {
    case Phase::lying:
      if (repeats_thoroughly()) return;
      phase_ = Phase::bridging;
      if (wants_all()) thorough_ = false;
      if (stages_.size() < 2)
        stages_.push_back(bridging_planes(problem_, parts_.scene(true), parts_.object_size()));
      start_stage(1);
      return;
    case Phase::bridging:
      if (repeats_thoroughly()) return;
      phase_ = thorough_ && !wants_all() ? Phase::descent : Phase::seats;
      return;
    case Phase::seats:
      if (is_early() && !has_found_) {
        phase_ = Phase::descent;
        return;
      }
      if (!wants_all() && !has_found_) {
        try_thoroughly();
        return;
      }
      // What was found on two faces only is not refined: let it down as well, for an objective.
      phase_ = has_found_ && !(wants_all() && starts_.empty()) ? Phase::refining : Phase::descent;
      return;
    case Phase::descent:
      if (is_early() && !has_found_) {
        try_thoroughly();
        return;
      }
      phase_ = Phase::done;
      return;
    default:
      phase_ = Phase::done;
  }
}

void AutomaticSource::try_thoroughly() {
  thorough_ = true;
  phase_ = Phase::lying;
  start_stage(0);
}

std::optional<Slot> AutomaticSource::next_slot() {
  if (next_order_ >= order_.size()) return std::nullopt;
  const Order& order = order_[next_order_];
  const SupportPlane& plane = stages_[stage_][static_cast<std::size_t>(order.plane)];
  const RestingFace& face = faces_[static_cast<std::size_t>(order.face)];
  Slot slot{&plane, &face, order.angle};
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
      if (found.lying->standing(found.t).margin >= 0.5 * problem_.options.margin)
        queue_.push_back(std::move(found));
    }
  }
}

// The best of every plane, then of every plane and face, then the rest: estimates of different supports compare badly.
void AutomaticSource::rank_stage() {
  std::vector<Found> all;
  const int most = has_found_before_ ? kMostBridging : kMostEstimated;
  for (int k = 0; k < most; ++k) {
    const std::optional<Slot> slot = next_slot();
    if (!slot || problem_.is_out_of_time()) break;
    for (Found& found : open(*slot, 2)) all.push_back(std::move(found));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Found& a, const Found& b) { return a.estimate > b.estimate; });
  std::vector<const SupportPlane*> planes;
  std::vector<std::pair<const SupportPlane*, const RestingFace*>> pairs;
  std::vector<Found> second, third;
  const bool one_will_do = problem_.options.objective == Objective::robust && problem_.options.count == 1;
  for (Found& found : all) {
    const std::pair key(found.lying->slot().plane, found.lying->slot().face);
    const bool is_new_pair = std::find(pairs.begin(), pairs.end(), key) == pairs.end();
    if (is_new_pair) pairs.push_back(key);
    if (one_will_do && !is_new_pair && found.lying->stands_alike(found.t)) continue;
    if (std::find(planes.begin(), planes.end(), key.first) == planes.end()) {
      planes.push_back(key.first);
      queue_.push_back(std::move(found));
    } else {
      (is_new_pair ? second : third).push_back(std::move(found));
    }
  }
  for (Found& found : second) queue_.push_back(std::move(found));
  if (one_will_do && third.size() > kMostAlike) third.resize(kMostAlike);
  for (Found& found : third) queue_.push_back(std::move(found));
}

std::optional<math::Pose> AutomaticSource::best_of_stage() {
  if (!is_ranked_) rank_stage();
  is_ranked_ = true;
  if (queue_.empty() || (has_found_ && verified_ >= most_verified())) return std::nullopt;
  ++verified_;
  const Found found = queue_.front();
  queue_.pop_front();
  return offer(found);
}

std::optional<math::Pose> AutomaticSource::seated() {
  last_.reset();
  if (!seats_)
    seats_ = std::make_unique<Seats>(problem_, parts_, loads_, faces_,
                                     SeatOptions{has_found_ ? kMostSeats : kMostFirstSeats, !has_found_});
  return seats_->next();
}

std::optional<math::Pose> AutomaticSource::descended() {
  last_.reset();
  if (!descents_) descents_ = std::make_unique<Descents>(problem_, parts_, faces_);
  if (is_early() && descents_->started() > kEarlyDescents) return std::nullopt;
  return descents_->next();
}

std::optional<math::Pose> AutomaticSource::refined() {
  while (refining_work_ < kMostWork) {
    if (!refinement_) {
      if (next_start_ >= std::min(starts_.size(), kMostStarts)) return std::nullopt;
      const Start& start = starts_[next_start_++];
      if (problem_.options.objective == Objective::robust && start.found.lying->stands_alike(start.found.t))
        continue;
      refinement_ = std::make_unique<Refinement>(problem_, parts_, loads_, start.found, start.score);
    }
    if (const std::optional<Found> found = refinement_->next()) return offer(*found);
    // Other starts on that face would end on the same level.
    if (refinement_->ended_level()) level_faces_.push_back(starts_[next_start_ - 1].found.lying->slot().face);
    refinement_.reset();
  }
  return std::nullopt;
}

std::optional<math::Pose> AutomaticSource::next() {
  if (!impossible_.empty()) return std::nullopt;
  while (phase_ != Phase::done && !is_unbeatable_ && !problem_.is_out_of_time()) {
    std::optional<math::Pose> pose;
    switch (phase_) {
      case Phase::lying:
      case Phase::bridging:
        pose = wants_all() ? best_of_stage() : first_of_stage();
        break;
      case Phase::seats:
        pose = seated();
        break;
      case Phase::descent:
        pose = descended();
        break;
      case Phase::refining:
        pose = wants_all() ? refined() : std::nullopt;
        break;
      case Phase::done:
        break;
    }
    if (pose) return pose;
    next_phase();
  }
  return std::nullopt;
}

void AutomaticSource::observe(const Verdict& verdict) {
  if (phase_ == Phase::descent) descents_->observe(verdict);
  if (phase_ == Phase::refining) refining_work_ += verdict.work + kWorkOfTrial;
  if (refinement_) refinement_->observe(verdict.passed(), verdict.score);
  if (!verdict.passed()) return;
  has_found_ = true;
  is_unbeatable_ = wants_all() && problem_.options.count == 1 && verdict.score >= kUnbeatable;
  if (!last_ || refinement_) return;
  const auto place = std::find_if(starts_.begin(), starts_.end(),
                                  [&](const Start& start) { return start.score < verdict.score; });
  starts_.insert(place, {verdict.score, *last_});
}

std::string AutomaticSource::tried() const {
  return "tried " + std::to_string(planes_) + " support planes with " + std::to_string(faces_.size()) +
         " sides of the object, " + std::to_string(slots_) + " combinations with a yaw, " +
         std::to_string(seats_ ? seats_->found() : 0) + " seats on two faces, and " +
         std::to_string(descents_ ? descents_->started() : 0) + " descents from above";
}

}  // namespace

std::unique_ptr<CandidateSource> automatic_source(const Problem& problem) {
  return std::make_unique<AutomaticSource>(problem);
}

}  // namespace prehend::placement
