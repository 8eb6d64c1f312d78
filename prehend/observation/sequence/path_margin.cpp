#include <algorithm>
#include <limits>

#include <prehend/observation/sequence/path_margin.h>

namespace prehend::observation {
namespace {

using Scores = std::vector<double>;
constexpr double kNever = -1e18;

// Best scores of going on from relations to relations; the same in both directions of time.
class Steps {
 public:
  Steps(const RelationTable& table, const PathPrices& prices) : table_(table), prices_(prices) {}

  Scores next(const Scores& score) const {
    const std::size_t count = score.size();
    const double leader = *std::max_element(score.begin(), score.end());
    Scores out(count);
    for (std::size_t k = 0; k < count; ++k) {
      double best = std::max(score[k], leader - prices_.jump);
      for (std::size_t a = 0; a < count; ++a)
        if (score[a] - prices_.change > best && (table_.is_inside[a][k] || table_.is_inside[k][a]))
          best = score[a] - prices_.change;
      out[k] = best;
    }
    return out;
  }

  void add_frame(std::size_t frame, Scores& score) const {
    for (std::size_t k = 0; k < score.size(); ++k) score[k] += frame_score(table_, frame, k, prices_);
  }

 private:
  const RelationTable& table_;
  const PathPrices& prices_;
};

}  // namespace

std::vector<RunMargin> path_margins(const RelationTable& table, const PathPrices& prices,
                                    const StatePath& path) {
  const std::size_t frames = path.relations.size(), count = table.relations.size();
  const Steps steps(table, prices);
  std::vector<RunMargin> runs;
  for (std::size_t i = 0; i < frames; ++i) {
    if (i == 0 || path.relations[i] != path.relations[i - 1]) runs.push_back({i, i, 0.0, {}});
    runs.back().last = i;
  }
  std::vector<Scores> before(frames), after(frames);  // with the frame's own score, and without
  for (std::size_t i = 0; i < frames; ++i) {
    before[i] = i == 0 ? Scores(count, 0.0) : steps.next(before[i - 1]);
    steps.add_frame(i, before[i]);
  }
  for (std::size_t i = frames; i-- > 0;) {
    if (i + 1 == frames) {
      after[i].assign(count, 0.0);
      continue;
    }
    Scores score = after[i + 1];
    steps.add_frame(i + 1, score);
    after[i] = steps.next(score);
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    RunMargin& run = runs[r];
    const int own = path.relations[run.first];
    // Without the run's relation. A single frame may always be an error of the tracker's.
    Scores score;
    for (std::size_t i = run.first; i <= run.last; ++i) {
      score = i == 0 ? Scores(count, 0.0) : steps.next(i == run.first ? before[i - 1] : score);
      const Scores unseen = score;
      steps.add_frame(i, score);
      for (std::size_t k = 0; run.first == run.last && k < count; ++k)
        score[k] = std::max(score[k], unseen[k] - prices.astray);
      score[static_cast<std::size_t>(own)] = kNever;
    }
    double best = kNever;
    for (std::size_t k = 0; k < count; ++k) best = std::max(best, score[k] + after[run.last][k]);
    run.without = path.score - best;
    const int former = r > 0 ? path.relations[runs[r - 1].first] : own,
              later = r + 1 < runs.size() ? path.relations[runs[r + 1].first] : own;
    for (int k = 0; k < static_cast<int>(count); ++k) {
      if (k == own || k == former || k == later) continue;
      const std::size_t rival = static_cast<std::size_t>(k);
      double through = kNever;
      for (std::size_t i = run.first; i <= run.last; ++i)
        through = std::max(through, before[i][rival] + after[i][rival]);
      run.rivals.push_back({k, path.score - through});
    }
    std::stable_sort(run.rivals.begin(), run.rivals.end(),
                     [](const RivalRelation& a, const RivalRelation& b) { return a.margin < b.margin; });
  }
  return runs;
}

}  // namespace prehend::observation
