#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <prehend/articulation/evidence/flipped_poses.h>

namespace prehend::articulation {
namespace {

constexpr int kNeighbours = 8;      // half before, half after
constexpr std::size_t kAgree = 2;   // the third nearest neighbour counts
constexpr double kLeastTurn = 0.3;  // [rad]
constexpr double kUnusual = 5.0;    // times the usual turn
constexpr double kClose = 0.5;      // of the turn
constexpr double kMostDropped =
    0.3;  // of a part's frames; flips of more than these cannot be told from its motion
constexpr std::size_t kManyParts = 40;  // bounds the time: every pair is compared

using Orientations = std::vector<Eigen::Vector4d>;  // quaternions by frame; zero where a part is lost

// sin^2 of half the angle between two orientations.
double turn_between(const Eigen::Vector4d& a, const Eigen::Vector4d& b) {
  const double dot = a.dot(b);
  return 1 - dot * dot;
}

// Orientations of one part in a reference, and by how much each is turned against its third nearest neighbour (sin^2 of half the angle).
class View {
 public:
  explicit View(Orientations orientations) : q_(std::move(orientations)), place_(q_.size(), -1) {
    for (std::size_t t = 0; t < q_.size(); ++t) {
      if (!(q_[t].squaredNorm() > 0)) continue;
      place_[t] = static_cast<int>(seen_.size());
      seen_.push_back(static_cast<int>(t));
    }
    if (static_cast<int>(seen_.size()) <= kNeighbours) return;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      std::array<double, kNeighbours> turned;
      const std::array<int, kNeighbours> near = neighbours(static_cast<int>(i));
      for (int k = 0; k < kNeighbours; ++k) turned[k] = turn_between(q_[near[k]], q_[seen_[i]]);
      std::nth_element(turned.begin(), turned.begin() + kAgree, turned.end());
      turns_.push_back(turned[kAgree]);
    }
    std::vector<double> sorted = turns_;
    std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
    usual_ = sorted[sorted.size() / 2];
  }

  double usual() const { return usual_; }

  // Turned by far more than is usual, while half of the frames around lie close together: not a jerk, and not a part that goes on turning.
  bool is_flipped(std::size_t t) const {
    if (turns_.empty() || place_[t] < 0) return false;
    const double turn = turns_[place_[t]];
    if (turn <= std::max(std::pow(std::sin(0.5 * kLeastTurn), 2), kUnusual * kUnusual * usual_)) return false;
    const std::array<int, kNeighbours> near = neighbours(place_[t]);
    int most = 0;
    for (const int a : near) {
      int close = 0;
      for (const int b : near) close += turn_between(q_[a], q_[b]) < kClose * kClose * turn;
      most = std::max(most, close);
    }
    return 2 * most > kNeighbours;
  }

 private:
  std::array<int, kNeighbours> neighbours(int place) const {
    const int count = static_cast<int>(seen_.size());
    const int first = std::clamp(place - kNeighbours / 2, 0, count - 1 - kNeighbours);
    std::array<int, kNeighbours> result;
    for (int k = 0, slot = 0; k <= kNeighbours; ++k)
      if (first + k != place) result[slot++] = seen_[first + k];
    return result;
  }

  Orientations q_;
  std::vector<int> place_, seen_;  // of a frame among those seen; frames seen
  std::vector<double> turns_;      // by place
  double usual_{std::numeric_limits<double>::infinity()};
};

Orientations in_reference(const PartTrack& part, const PartTrack* reference) {
  Orientations q(part.X_WP.size(), Eigen::Vector4d::Zero());
  for (std::size_t t = 0; t < q.size(); ++t) {
    if (!part.X_WP[t] || (reference && !reference->X_WP[t])) continue;
    q[t] = reference ? (reference->X_WP[t]->q().conjugate() * part.X_WP[t]->q()).coeffs()
                     : part.X_WP[t]->q().coeffs();
  }
  return q;
}

std::vector<int> flipped_frames(const PartTracks& tracks, std::size_t part) {
  constexpr std::size_t kReferences =
      3;  // two of three must see the flip, so that a flipped reference accuses nobody
  std::vector<View> views;
  views.emplace_back(in_reference(tracks.parts[part], nullptr));
  if (tracks.parts.size() <= kManyParts)
    for (std::size_t other = 0; other < tracks.parts.size(); ++other)
      if (other != part) views.emplace_back(in_reference(tracks.parts[part], &tracks.parts[other]));
  std::stable_sort(views.begin(), views.end(),
                   [](const View& a, const View& b) { return a.usual() < b.usual(); });
  const std::size_t used = std::min(views.size(), kReferences);
  const std::size_t needed = used < kReferences ? used : kReferences - 1;
  std::vector<int> frames;
  for (std::size_t t = 0; t < tracks.times.size(); ++t) {
    std::size_t turned = 0;
    for (std::size_t k = 0; k < used; ++k) turned += views[k].is_flipped(t);
    if (turned >= needed) frames.push_back(static_cast<int>(t));
  }
  return frames;
}

}  // namespace

int drop_flipped(PartTracks& tracks) {
  constexpr int kPasses = 3;  // without those around them, others stand out
  std::vector<std::vector<std::optional<math::Pose>>> before;
  for (const PartTrack& track : tracks.parts) before.push_back(track.X_WP);
  for (int pass = 0; pass < kPasses; ++pass) {
    std::vector<std::vector<int>> flipped;
    for (std::size_t part = 0; part < tracks.parts.size(); ++part)
      flipped.push_back(flipped_frames(tracks, part));
    bool any = false;
    for (std::size_t part = 0; part < tracks.parts.size(); ++part)
      for (const int t : flipped[part]) any = true, tracks.parts[part].X_WP[t].reset();
    if (!any) break;
  }
  int dropped = 0;
  std::string names;
  for (std::size_t part = 0; part < tracks.parts.size(); ++part) {
    PartTrack& track = tracks.parts[part];
    const int left = static_cast<int>(
        std::count_if(track.X_WP.begin(), track.X_WP.end(), [](const auto& X) { return X.has_value(); }));
    if (left == track.seen) continue;
    if (track.seen - left > kMostDropped * track.seen) {
      track.X_WP = before[part];
      continue;
    }
    dropped += track.seen - left;
    track.seen = left;
    names += (names.empty() ? "" : ", ") + track.name;
  }
  if (dropped > 0)
    tracks.notes.push_back(
        std::to_string(dropped) + (dropped == 1 ? " pose is" : " poses are") +
        " turned against the ones before and after, as flipped markers are, and left out: " + names);
  return dropped;
}

}  // namespace prehend::articulation
