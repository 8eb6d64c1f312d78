#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include <prehend/math/number_text.h>
#include <prehend/observation/relations/contact_rows.h>
#include <prehend/observation/relations/least_motion.h>
#include <prehend/observation/sequence/doubts.h>
#include <prehend/observation/sequence/path_margin.h>
#include <prehend/observation/sequence/track_offset.h>

namespace prehend::observation {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

// Chosen on 112 recordings of tests/watch_judge.py, seeds 200 and 201, seven trackers and eight kinds of bodies, and on 300 of seeds 2300 to 2303.
// [nats] Of the former's sequences with such a state 7 of 14 were right; of the latter's wrong ones two had nothing below 5. With errors that stay for many
// frames, which say less than they count, 39 of 40 with nothing below were right.
constexpr double kClose = 6.0;
// [nats] For another state within a run, or instead of it. One that explains nothing is behind by the price of a change, 5, and more: below this the frames
// themselves speak for it. Of recordings whose only doubts were such rivals (seeds 51000, 51001, 600 and 601) 19 of 42 right ones had
// none nearer, of 2 wrong ones both had.
constexpr double kRival = 3.5;
// [nats] The same for singular states, which are passed between two others.
constexpr double kSingularRival = 2.0;
// [of the noise] States that are gone, or new, with as much more noise are not sure.
constexpr double kMoreNoise = 1.4;
// Squared mean of a run's corrections for each freedom it takes, in units of the noise: right runs had 1.1 at most, gaps taken for contacts 1.6 to 3.4.
constexpr double kOneSided = 1.4;
// The same for the change from the first to the last third of a run: of 60 right runs with slow errors all but one had 2.9 at most, a gap that closes under a
// contact 4.4.
constexpr double kMoving = 3.2;

// The same by contact: the mean gap [of the noise] that is seen in the first or the last third of a run, single gaps cut to kFarGap for the sake of heavy
// tails, and how many standard errors it is over the least of the thirds. Of 255 recordings (seeds 51000, 51001, 600), those with few errors that stay, the
// 187 right ones without other doubts had 1.3 at most, two of the five wrong ones 1.7 and 1.8.
constexpr double kOpen = 1.5, kFarGap = 2.5, kOpenErrors = 2.2;
// Variance of errors that stay, of the others: with more, gaps change within a run by themselves.
constexpr double kFewStay = 1.0;

// [of the jitter] Three axes of an error as large as the jitter are less than this in 97 of 100 trackers; a larger offset may as well be a gap that stays.
constexpr double kLargeOffset = 3.0;

std::vector<int> without_repeats(const std::vector<int>& relations) {
  std::vector<int> order;
  std::unique_copy(relations.begin(), relations.end(), std::back_inserter(order));
  return order;
}

// A frame that tells something about its relation.
struct TellingFrame {
  math::Pose X_FM_seen, X_FM;
  CorrectionOptions options;
};

std::vector<TellingFrame> telling_frames(const std::vector<math::Pose>& seen, const Recognised& recognised,
                                         const RunMargin& run) {
  std::vector<TellingFrame> frames;
  for (std::size_t i = run.first; i <= run.last; ++i) {
    const FrameFit& fit = recognised.chosen[i];
    if (!fit.is_possible || recognised.table.is_lost[i] || recognised.table.is_astray[i]) continue;
    CorrectionOptions options = recognised.correction;
    options.noise = recognised.noise;
    options.directions = recognised.directions[i];
    frames.push_back({recognised.offset ? without_offset(seen[i], *recognised.offset) : seen[i], fit.X_FM,
                      std::move(options)});
  }
  return frames;
}

// What frames of a run had to be moved, by its relation, in units of the noise.
std::vector<Vector6> corrections_of(const std::vector<TellingFrame>& frames) {
  std::vector<Vector6> corrections;
  for (const TellingFrame& frame : frames)
    corrections.push_back(motion_between(frame.X_FM_seen, frame.X_FM, frame.options));
  return corrections;
}

// How far a contact is seen open, in the middle of its rows and in units of the noise across it; negative where the bodies overlap.
std::vector<double> gaps_of(const PairFeatures& pair, const PrincipalContact& contact,
                            const std::vector<TellingFrame>& frames) {
  std::vector<ContactRow> rows;
  append_rows(pair, contact, rows);
  std::vector<double> gaps;
  for (const TellingFrame& frame : frames) {
    const math::Pose& X = frame.X_FM_seen;
    double gap = 0.0;
    RowVector6d slope = RowVector6d::Zero();
    for (const ContactRow& row : rows) {
      const RowValue value = evaluate(row, X.R(), X.p(), X * frame.options.reference_M);
      gap += value.gap;
      slope += value.slope;
    }
    gaps.push_back(std::clamp(gap / per_noise_unit(slope, frame.options).norm(), -kFarGap, kFarGap));
  }
  return gaps;
}

// The mean gap in the first or the last third, where it is clearly more than in another third; 0 otherwise.
double open_at_an_end(const std::vector<double>& gaps) {
  const std::size_t third = gaps.size() / 3;
  if (third < 2) return 0.0;
  const auto mean_from = [&](std::size_t first) {
    const auto begin = gaps.begin() + static_cast<std::ptrdiff_t>(first);
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(third), 0.0) /
           static_cast<double>(third);
  };
  const double start = mean_from(0), middle = mean_from((gaps.size() - third) / 2),
               end = mean_from(gaps.size() - third);
  const double open = std::max(start, end), least = std::min({start, middle, end});
  const bool is_sure = (open - least) * std::sqrt(0.5 * static_cast<double>(third)) > kOpenErrors;
  return open > kOpen && is_sure ? open : 0.0;
}

Vector6 mean_of(const std::vector<Vector6>& corrections, std::size_t first, std::size_t count) {
  Vector6 sum = Vector6::Zero();
  for (std::size_t i = first; i < first + count; ++i) sum += corrections[i];
  return sum / static_cast<double>(count);
}

// The mean correction, squared, for each freedom that the relation takes. Fresh errors alone leave one part in `count`.
double one_sidedness(const std::vector<Vector6>& corrections, int restricted) {
  if (corrections.size() < 3 || restricted == 0) return 0.0;
  return mean_of(corrections, 0, corrections.size()).squaredNorm() / restricted -
         1.0 / static_cast<double>(corrections.size());
}

// From the first third to the last, squared, for each freedom: a gap that opens or closes.
double change_within(const std::vector<Vector6>& corrections, int restricted) {
  const std::size_t third = corrections.size() / 3;
  if (third < 2 || restricted == 0) return 0.0;
  const Vector6 change =
      mean_of(corrections, corrections.size() - third, third) - mean_of(corrections, 0, third);
  return change.squaredNorm() / restricted - 2.0 / static_cast<double>(third);
}

class DoubtSearch {
 public:
  DoubtSearch(const BodyPair& pair, const std::vector<math::Pose>& seen, const Recognised& recognised)
      : pair_(pair),
        seen_(seen),
        recognised_(recognised),
        runs_(path_margins(recognised.table, recognised.prices, recognised.path)) {}

  DoubtedPath run() {
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      result_.margin.push_back(std::max(0.0, runs_[r].without));
      ask_run(r);
    }
    ask_more_noise();
    ask_offset();
    ask_rival_offset();
    if (recognised_.touches_if_slow)
      whole(
          "no contact is found, but the bodies stay so near that a tracker whose errors stay, of a few times "
          "its jitter, would hide one");
    return std::move(result_);
  }

 private:
  int own(std::size_t r) const { return recognised_.path.relations[runs_[r].first]; }
  const Relation& relation(std::size_t r) const {
    return recognised_.table.relations[static_cast<std::size_t>(own(r))];
  }
  void whole(std::string reason) {
    result_.doubts.push_back({0, recognised_.path.relations.size() - 1, true, std::move(reason)});
  }
  static std::string times_noise(double squared) {
    return math::number_text(std::round(10.0 * std::sqrt(squared)) / 10.0);
  }
  static std::string nats(double value) {
    return math::number_text(std::round(10.0 * value) / 10.0) + " nats";
  }

  void ask_run(std::size_t r) {
    const RunMargin& run = runs_[r];
    const auto doubt = [&](const std::string& reason) {
      result_.doubts.push_back({run.first, run.last, false, reason});
    };
    const std::vector<TellingFrame> frames = telling_frames(seen_, recognised_, run);
    const std::vector<Vector6> corrections = corrections_of(frames);
    const double side = one_sidedness(corrections, relation(r).restricted),
                 change = change_within(corrections, relation(r).restricted);
    if (run.first == run.last && run.without < kClose)
      doubt("one frame alone shows this state: it may be an error of the tracker's");
    else if (run.without < kClose)
      doubt("a sequence without this state is " + nats(run.without) + " behind");
    else if (side > kOneSided)
      doubt("frames had to be moved to one side, by " + times_noise(side) +
            " times the noise for each freedom: a gap may be taken for a contact");
    else if (change > kMoving)
      doubt("what frames had to be moved changes by " + times_noise(change) +
            " times the noise for each freedom: a gap that opens or closes may be taken for a contact");
    else if (const double open = widest_end(r, frames); open > 0.0)
      doubt("at one end of this state a contact is seen open by " + times_noise(open * open) +
            " times the noise in the mean: a gap that opens or closes may be taken for it");
    else if (const std::optional<RivalRelation> rival = nearest_rival(r))
      doubt("a sequence with another state here (" + numbers(rival->relation) + ") is " +
            nats(rival->margin) + " behind");
  }

  double widest_end(std::size_t r, const std::vector<TellingFrame>& frames) const {
    if (recognised_.staying > kFewStay) return 0.0;
    double widest = 0.0;
    for (const PrincipalContact& contact : relation(r).contacts)
      if (!contact.is_singular())
        widest = std::max(widest, open_at_an_end(gaps_of(pair_.features(), contact, frames)));
    return widest;
  }

  // One whose freedoms are others than those of the run and its neighbours: the nearest may differ from them by name only, and hide it.
  std::optional<RivalRelation> nearest_rival(std::size_t r) {
    for (const RivalRelation& rival : runs_[r].rivals) {
      if (!(rival.margin < kRival)) break;
      const bool is_singular =
          recognised_.table.relations[static_cast<std::size_t>(rival.relation)].is_singular;
      if (is_singular && !(rival.margin < kSingularRival)) continue;
      bool is_known = false;
      for (std::size_t k = r > 0 ? r - 1 : r; k <= std::min(r + 1, runs_.size() - 1); ++k)
        is_known = is_known || numbers(own(k)) == numbers(rival.relation);
      if (!is_known) return rival;
    }
    return std::nullopt;
  }

  const std::string& numbers(int relation) {
    const auto known = numbers_.find(relation);
    if (known != numbers_.end()) return known->second;
    return numbers_[relation] =
               numbers_at(pair_, recognised_.table.relations[static_cast<std::size_t>(relation)]);
  }

  void ask_more_noise() {
    PathPrices prices = recognised_.prices;
    prices.reward -= std::log(kMoreNoise);
    prices.scale /= kMoreNoise;
    const StatePath path = best_path(recognised_.table, prices);
    if (without_repeats(path.relations) == without_repeats(recognised_.path.relations)) return;
    whole("with " + math::number_text(kMoreNoise) + " times the noise the states are others");
  }

  void ask_offset() {
    if (!recognised_.offset) return;
    const double size = std::max(recognised_.offset->shift_M.norm() / recognised_.noise.position,
                                 recognised_.offset->turn_M.norm() / recognised_.noise.angle);
    if (size > kLargeOffset)
      whole("the constant offset is " + math::number_text(std::round(10.0 * size) / 10.0) +
            " times the jitter: a gap that stays may be taken for it");
  }

  void ask_rival_offset() {
    if (!recognised_.offset_rival_lead || *recognised_.offset_rival_lead < -kClose) return;
    whole(recognised_.offset_rival_has_other_gaps
              ? "another constant offset of the tracker, with contacts in the place of gaps, explains the "
                "recording about as well"
              : "a constant offset of the tracker, with edges or faces that touch where corners or edges do "
                "here, explains the recording about as well");
  }

  const BodyPair& pair_;
  const std::vector<math::Pose>& seen_;
  const Recognised& recognised_;
  std::vector<RunMargin> runs_;
  std::map<int, std::string> numbers_;  // by relation: each costs a search of contacts
  DoubtedPath result_;
};

}  // namespace

DoubtedPath doubts_of(const BodyPair& pair, const std::vector<math::Pose>& seen,
                      const Recognised& recognised) {
  if (recognised.path.relations.empty()) return {};
  return DoubtSearch(pair, seen, recognised).run();
}

}  // namespace prehend::observation
