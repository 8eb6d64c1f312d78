#include <algorithm>
#include <cmath>

#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>
#include <prehend/observation/motion_freedom.h>
#include <prehend/observation/polyhedron_contacts.h>
#include <prehend/observation/sequence/doubts.h>
#include <prehend/observation/sequence/path_margin.h>
#include <prehend/observation/sequence/track_offset.h>

namespace prehend::observation {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

// All chosen on 112 recordings of tests/watch_judge.py, seeds 200 and 201: seven trackers and eight kinds of bodies.
// [nats] Of the sequences with such a state 7 of 14 were right.
constexpr double kClose = 6.0;
// [nats] For another state within a run, or instead of it.
constexpr double kRival = 2.0;
// [of the noise] States that are gone, or new, with as much more noise are not sure.
constexpr double kMoreNoise = 1.4;
// Squared mean of a run's corrections for each freedom it takes, in units of the noise: right runs had 1.1 at most, gaps taken for contacts 1.6 to 3.4.
constexpr double kOneSided = 1.4;
// Variance of slow errors over that of fresh ones: half of the sequences with more were right.
constexpr double kMuchSlower = 2.5;

std::string numbers_at(const BodyPair& pair, const Relation& relation) {
  if (relation.contacts.empty()) return motion_freedom({}).eight_numbers();
  try {
    return motion_freedom(find_contacts(pair.moving(), relation.X_FM, pair.fixed(), math::Pose()).relation)
        .eight_numbers();
  } catch (const std::exception&) {
    return "";
  }
}

std::vector<int> without_repeats(const std::vector<int>& relations) {
  std::vector<int> order;
  std::unique_copy(relations.begin(), relations.end(), std::back_inserter(order));
  return order;
}

// What frames of a run had to be moved in the mean, squared, for each freedom that its relation takes.
double one_sidedness(const std::vector<math::Pose>& seen, const Recognised& recognised, const RunMargin& run,
                     int restricted) {
  Vector6 sum = Vector6::Zero();
  double count = 0.0;
  for (std::size_t i = run.first; i <= run.last; ++i) {
    const FrameFit& fit = recognised.chosen[i];
    if (!fit.is_possible || recognised.table.is_lost[i] || recognised.table.is_astray[i]) continue;
    const math::Pose X = recognised.offset ? without_offset(seen[i], *recognised.offset) : seen[i];
    Vector6 x;
    x << math::log_so3(fit.X_FM.q() * X.q().conjugate()) / recognised.noise.angle,
        (fit.X_FM * recognised.correction.reference_M - X * recognised.correction.reference_M) /
            recognised.noise.position;
    sum += x;
    count += 1.0;
  }
  if (count < 3.0 || restricted == 0) return 0.0;
  // Fresh errors alone leave one part in `count`.
  return (sum / count).squaredNorm() / restricted - 1.0 / count;
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
      result_.margin.push_back(runs_[r].without);
      ask_run(r);
    }
    ask_more_noise();
    if (recognised_.staying > kMuchSlower)
      whole("the tracker's errors stay for many frames, and are " +
            math::number_text(std::round(10.0 * std::sqrt(1.0 + recognised_.staying)) / 10.0) +
            " times its jitter: states that differ by less than that cannot be distinguished");
    return std::move(result_);
  }

 private:
  const Relation& relation(std::size_t r) const {
    return recognised_.table.relations[static_cast<std::size_t>(recognised_.path.relations[runs_[r].first])];
  }
  void whole(std::string reason) {
    result_.doubts.push_back({0, recognised_.path.relations.size() - 1, true, std::move(reason)});
  }
  static std::string nats(double value) {
    return math::number_text(std::round(10.0 * value) / 10.0) + " nats";
  }

  void ask_run(std::size_t r) {
    const RunMargin& run = runs_[r];
    if (run.without < kClose) {
      result_.doubts.push_back(
          {run.first, run.last, false, "a sequence without this state is " + nats(run.without) + " behind"});
      return;
    }
    if (const double side = one_sidedness(seen_, recognised_, run, relation(r).restricted);
        side > kOneSided) {
      result_.doubts.push_back({run.first, run.last, false,
                                "frames had to be moved to one side, by " +
                                    math::number_text(std::round(10.0 * std::sqrt(side)) / 10.0) +
                                    " times the noise for each freedom: a gap may be taken for a contact"});
      return;
    }
    if (!(run.other < kRival) || run.other_relation < 0) return;
    const std::string rival =
        numbers_at(pair_, recognised_.table.relations[static_cast<std::size_t>(run.other_relation)]);
    for (std::size_t k = r > 0 ? r - 1 : r; k <= std::min(r + 1, runs_.size() - 1); ++k)
      if (numbers_at(pair_, relation(k)) == rival) return;
    result_.doubts.push_back(
        {run.first, run.last, false,
         "a sequence with another state here (" + rival + ") is " + nats(run.other) + " behind"});
  }

  void ask_more_noise() {
    PathPrices prices = recognised_.prices;
    prices.reward -= std::log(kMoreNoise);
    prices.scale /= kMoreNoise;
    const StatePath path = best_path(recognised_.table, prices);
    if (without_repeats(path.relations) == without_repeats(recognised_.path.relations)) return;
    whole("with " + math::number_text(kMoreNoise) + " times the noise the states are others");
  }

  const BodyPair& pair_;
  const std::vector<math::Pose>& seen_;
  const Recognised& recognised_;
  std::vector<RunMargin> runs_;
  DoubtedPath result_;
};

}  // namespace

DoubtedPath doubts_of(const BodyPair& pair, const std::vector<math::Pose>& seen,
                      const Recognised& recognised) {
  if (recognised.path.relations.empty()) return {};
  return DoubtSearch(pair, seen, recognised).run();
}

}  // namespace prehend::observation
