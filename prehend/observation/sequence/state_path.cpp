#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/observation/sequence/state_path.h>

namespace prehend::observation {

double frame_score(const RelationTable& table, std::size_t frame, std::size_t relation,
                   const PathPrices& prices) {
  constexpr double kImpossible = -1e9;
  if (table.is_lost[frame]) return 0.0;
  const FrameFit& fit = table.fits[frame][relation];
  const double least = table.is_astray[frame] ? -prices.astray : kImpossible;
  if (!fit.is_possible) return least;
  const Relation& what = table.relations[relation];
  const double weight = table.weight[frame];
  // An average of neighbours tells what they told: the better it is, the smaller its own share.
  const double share = std::min(1.0, prices.share / weight);
  // [nats] A freedom is worth no less where the noise is that of a single frame.
  constexpr double kLeastReward = 1.0;
  const double worth = std::max(kLeastReward * what.restricted,
                                (prices.reward + 0.5 * std::log(weight)) * what.restricted - fit.log_spread);
  return std::max(least, share * (worth - 0.5 * fit.cost * prices.scale * prices.scale * weight -
                                  (what.is_singular ? prices.singular : 0.0)));
}

StatePath best_path(const RelationTable& table, const PathPrices& prices) {
  const std::size_t frames = table.fits.size(), count = table.relations.size();
  std::vector<std::vector<int>> from(frames, std::vector<int>(count, -1));
  std::vector<double> score(count, 0.0), next(count);
  for (std::size_t i = 0; i < frames; ++i) {
    const std::size_t leader =
        static_cast<std::size_t>(std::max_element(score.begin(), score.end()) - score.begin());
    for (std::size_t k = 0; k < count; ++k) {
      double best = score[k];
      int origin = static_cast<int>(k);
      if (i > 0) {
        if (score[leader] - prices.jump > best) {
          best = score[leader] - prices.jump;
          origin = static_cast<int>(leader);
        }
        for (std::size_t a = 0; a < count; ++a) {
          if (!(score[a] - prices.change > best)) continue;
          if (!table.is_inside[a][k] && !table.is_inside[k][a]) continue;
          best = score[a] - prices.change;
          origin = static_cast<int>(a);
        }
      }
      next[k] = best + frame_score(table, i, k, prices);
      from[i][k] = origin;
    }
    score = next;
  }
  StatePath path;
  if (frames == 0) return path;
  std::size_t k = static_cast<std::size_t>(std::max_element(score.begin(), score.end()) - score.begin());
  path.score = score[k];
  path.relations.assign(frames, 0);
  for (std::size_t i = frames; i-- > 0;) {
    path.relations[i] = static_cast<int>(k);
    k = static_cast<std::size_t>(from[i][k]);
  }
  return path;
}

}  // namespace prehend::observation
