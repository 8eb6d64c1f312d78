// Margins of sequences of relations against all sequences there are.
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/observation/sequence/path_margin.h>

namespace prehend::observation {
namespace {

constexpr int kFrames = 6, kRelations = 4;

RelationTable random_table(math::RandomStream& random) {
  RelationTable table;
  table.relations.resize(kRelations);
  table.is_inside.assign(kRelations, std::vector<char>(kRelations, 0));
  for (int k = 0; k < kRelations; ++k) {
    table.relations[static_cast<std::size_t>(k)].restricted = k;
    for (int a = 0; a < k; ++a)
      table.is_inside[static_cast<std::size_t>(a)][static_cast<std::size_t>(k)] = random.uniform() < 0.5;
  }
  for (int i = 0; i < kFrames; ++i) {
    std::vector<FrameFit> fits;
    for (int k = 0; k < kRelations; ++k)
      fits.push_back({random.uniform() < 0.9, random.uniform(0.0, 30.0), 0.0, {}});
    table.fits.push_back(fits);
    table.weight.push_back(1.0);
    table.is_astray.push_back(0);
    table.is_lost.push_back(0);
    table.is_overlapping.push_back(0);
  }
  return table;
}

double score_of(const RelationTable& table, const PathPrices& prices, const std::vector<int>& path) {
  double score = 0.0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::size_t k = static_cast<std::size_t>(path[i]);
    score += frame_score(table, i, k, prices);
    if (i == 0 || path[i] == path[i - 1]) continue;
    const std::size_t a = static_cast<std::size_t>(path[i - 1]);
    score -=
        table.is_inside[a][k] || table.is_inside[k][a] ? std::min(prices.change, prices.jump) : prices.jump;
  }
  return score;
}

// A frame in which no relation is possible is worth the same whatever is said about it.
TEST(StatePath, ALostFrameSaysNothing) {
  math::RandomStream random(7);
  RelationTable table = random_table(random);
  for (FrameFit& fit : table.fits[2]) fit = {true, 0.0, 0.0, {}};
  EXPECT_GT(frame_score(table, 2, 3, {}), frame_score(table, 2, 0, {}));
  table.is_lost[2] = 1;
  for (std::size_t k = 0; k < table.relations.size(); ++k) EXPECT_EQ(frame_score(table, 2, k, {}), 0.0);
}

TEST(PathMargins, AreThoseOfAllSequences) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    math::RandomStream random(900 + seed);
    const RelationTable table = random_table(random);
    const PathPrices prices;
    const StatePath path = best_path(table, prices);
    const std::vector<RunMargin> margins = path_margins(table, prices, path);
    std::vector<double> without(margins.size(), -1e300);
    std::vector<std::vector<double>> through(margins.size(), std::vector<double>(kRelations, -1e300));
    const auto own = [&](std::size_t r) { return path.relations[margins[r].first]; };
    for (int code = 0; code < std::pow(kRelations, kFrames); ++code) {
      std::vector<int> rival;
      for (int i = 0, rest = code; i < kFrames; ++i, rest /= kRelations) rival.push_back(rest % kRelations);
      const double score = score_of(table, prices, rival);
      EXPECT_LE(score, path.score + 1e-9 * std::abs(path.score));
      for (std::size_t r = 0; r < margins.size(); ++r) {
        bool has_own = false;
        for (std::size_t i = margins[r].first; i <= margins[r].last; ++i) {
          has_own = has_own || rival[i] == own(r);
          double& most = through[r][static_cast<std::size_t>(rival[i])];
          most = std::max(most, score);
        }
        // A single frame may be astray.
        const std::size_t at = margins[r].first;
        const double own_frame = frame_score(table, at, static_cast<std::size_t>(rival[at]), prices);
        const double astray = at == margins[r].last ? std::max(own_frame, -prices.astray) - own_frame : 0.0;
        if (!has_own) without[r] = std::max(without[r], score + astray);
      }
    }
    for (std::size_t r = 0; r < margins.size(); ++r) {
      EXPECT_NEAR(margins[r].without, path.score - without[r], 1e-5) << seed;
      const int former = own(r > 0 ? r - 1 : r), later = own(r + 1 < margins.size() ? r + 1 : r);
      std::set<int> expected;
      for (int k = 0; k < kRelations; ++k)
        if (k != own(r) && k != former && k != later) expected.insert(k);
      ASSERT_EQ(margins[r].rivals.size(), expected.size());
      double before = -1e300;
      for (const RivalRelation& rival : margins[r].rivals) {
        EXPECT_EQ(expected.erase(rival.relation), 1u);
        EXPECT_GE(rival.margin, before);
        before = rival.margin;
        EXPECT_NEAR(rival.margin, path.score - through[r][static_cast<std::size_t>(rival.relation)], 1e-5)
            << seed;
      }
    }
  }
}

}  // namespace
}  // namespace prehend::observation
