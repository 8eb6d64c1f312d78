#include <algorithm>
#include <cmath>

#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/topology/evidence/balance.h>
#include <prehend/topology/evidence/wrench_delay.h>

namespace prehend::topology {
namespace {

using Delays = std::vector<double>;  // [s] per hand

math::Wrench wrench_at(const std::vector<double>& t, const std::vector<math::Wrench>& F, double time) {
  const auto after = std::upper_bound(t.begin(), t.end(), time);
  const auto to = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(after - t.begin(), 1, static_cast<std::ptrdiff_t>(t.size()) - 1));
  const double part = std::clamp((time - t[to - 1]) / (t[to] - t[to - 1]), 0.0, 1.0);
  return {(1 - part) * F[to - 1].moment + part * F[to].moment,
          (1 - part) * F[to - 1].force + part * F[to].force};
}

// Rows near the ends, where a moved wrench would be from outside the recording, are left out.
Recording moved(const Recording& recording, const Delays& delays) {
  const double latest = std::max(0.0, *std::max_element(delays.begin(), delays.end())),
               earliest = std::min(0.0, *std::min_element(delays.begin(), delays.end()));
  Recording other;
  other.gravity_W = recording.gravity_W;
  other.base_is_fixed = recording.base_is_fixed;
  other.X_WL.resize(recording.X_WL.size());
  for (const HeldLink& held : recording.held) other.held.push_back({held.link, {}});
  for (std::size_t k = 0; k < recording.rows(); ++k) {
    const double t = recording.t[k];
    if (t + earliest < recording.t.front() || t + latest > recording.t.back()) continue;
    other.t.push_back(t);
    for (std::size_t i = 0; i < recording.X_WL.size(); ++i) other.X_WL[i].push_back(recording.X_WL[i][k]);
    for (std::size_t h = 0; h < delays.size(); ++h)
      other.held[h].F_L.push_back(wrench_at(recording.t, recording.held[h].F_L, t + delays[h]));
  }
  return other;
}

class DelaySearch {
 public:
  DelaySearch(const ArticulatedObject& object, const Recording& recording, const RecordingNoise& noise,
              const DelayOptions& options)
      : object_(object), recording_(recording), noise_(noise), options_(options) {}

  double balance(const Delays& delays) const {
    math::check_interrupt();
    const Recording other = moved(recording_, delays);
    return total_balance(balance_links(object_, other, average_blocks(object_, other), noise_));
  }

  // Moves the delays of some hands along the parabola through three points that are `step` [s] apart.
  void descend(const std::vector<std::size_t>& hands, double step, Delays& delays, double& best) const {
    const auto with = [&](double more) {
      Delays other = delays;
      for (const std::size_t h : hands)
        other[h] = std::clamp(delays[h] + more, -options_.longest, options_.longest);
      return other;
    };
    const double low = balance(with(-step)), high = balance(with(step)), bend = low + high - 2 * best;
    if (!(bend > 0)) return;
    const Delays there = with(step * (low - high) / (2 * bend));
    const double value = balance(there);
    if (!(value < best)) return;
    best = value;
    delays = there;
  }

 private:
  const ArticulatedObject& object_;
  const Recording& recording_;
  const RecordingNoise& noise_;
  const DelayOptions& options_;
};

}  // namespace

std::string WrenchDelay::sentence(const ArticulatedObject& object) const {
  std::string hands;
  for (std::size_t h = 0; h < delays.size(); ++h) {
    const double ms = 1000 * delays[h];
    hands += (h == 0 ? "" : ", ") + std::string("that on link '") +
             object.links[static_cast<std::size_t>(recording.held[h].link)].name + "' " +
             math::number_text(std::abs(ms), 2) + " ms " + (ms < 0 ? "earlier" : "later") + " than the poses";
  }
  return "wrenches and poses are not of one time: " + hands + "; moved by that, everything balances " +
         math::number_text(std::sqrt(before / std::max(after, 1e-12)), 2) +
         " times better, and it is read so";
}

std::optional<WrenchDelay> find_wrench_delay(const ArticulatedObject& object, const Recording& recording,
                                             const RecordingNoise& noise, const DelayOptions& options) {
  constexpr double kCoarse = 0.01, kFine = 0.002;  // [s]
  if (!recording.is_complete() || recording.held.empty() || recording.rows() < 12) return {};
  if (recording.t.back() - recording.t.front() < 10 * options.longest) return {};
  const DelaySearch search(object, recording, noise, options);
  Delays delays(recording.held.size(), 0.0);
  const double before = search.balance(delays);
  if (!(before > options.bad_balance)) return {};
  std::vector<std::size_t> all;
  for (std::size_t h = 0; h < delays.size(); ++h) all.push_back(h);
  double after = before;
  search.descend(all, kCoarse, delays, after);
  for (int round = 0; round < 2 && all.size() > 1; ++round)
    for (const std::size_t h : all) search.descend({h}, kCoarse / 2, delays, after);
  search.descend(all, kFine, delays, after);
  if (!(after < options.good_balance && options.better * after < before)) return {};
  return WrenchDelay{delays, before, after, moved(recording, delays)};
}

}  // namespace prehend::topology
