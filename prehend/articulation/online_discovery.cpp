#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <prehend/articulation/online_discovery.h>
#include <prehend/articulation/tree/pair_fit.h>
#include <prehend/articulation/tree/spanning_tree.h>
#include <prehend/math/house/option_check.h>

namespace prehend::articulation {

void OnlineOptions::validate() const {
  const math::OptionCheck check("OnlineOptions");
  check.at_least("kept_frames", kept_frames, 16);
  check.at_least("fits_per_frame", fits_per_frame, 1);
  check.at_least("least_frames", least_frames, 4);
  check.holds(!types.empty(), "types", "empty", "one type at least");
}

const TypeBelief* PairBelief::best() const {
  const TypeBelief* best = nullptr;
  for (const TypeBelief& type : types)
    if (type.fitted && (!best || type.score > best->score)) best = &type;
  return best;
}

OnlineDiscovery::OnlineDiscovery(std::vector<std::string> parts, const OnlineOptions& options)
    : parts_(std::move(parts)), options_(options) {
  options_.validate();
  if (parts_.size() < 2)
    throw std::invalid_argument("there are " + std::to_string(parts_.size()) +
                                " parts; discovery needs at least 2");
  const int count = static_cast<int>(parts_.size());
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      Pair pair;
      pair.belief.a = a;
      pair.belief.b = b;
      for (const model::JointType type : options_.types) pair.belief.types.push_back({type, 0.0, 0.0, false});
      pair.fits.resize(options_.types.size());
      pair.rests.assign(options_.types.size(), 0);
      pair.kept.fixed = parts_[a];
      pair.kept.moving = parts_[b];
      pair.kept.fixed_is_measured = true;
      pair.kept.poses.reserve(options_.kept_frames);
      pair.kept.times.reserve(options_.kept_frames);
      pairs_.push_back(std::move(pair));
    }
  }
}

std::size_t OnlineDiscovery::index(int a, int b) const {
  if (a > b) std::swap(a, b);
  const int n = static_cast<int>(parts_.size());
  if (a < 0 || b >= n || a == b) throw std::invalid_argument("no such pair of parts");
  return static_cast<std::size_t>(a * n - a * (a + 1) / 2 + (b - a - 1));
}

const PairBelief& OnlineDiscovery::belief(int a, int b) const { return pairs_[index(a, b)].belief; }

void OnlineDiscovery::keep(Pair& pair, const math::Pose& X_ab) {
  const bool wanted = pair.belief.frames % pair.stride == 0;
  ++pair.belief.frames;
  if (!wanted) return;
  std::vector<Observation>& poses = pair.kept.poses;
  if (static_cast<int>(poses.size()) == options_.kept_frames) {
    // Every second one goes, and from now on half as many come.
    std::size_t left = 0;
    for (std::size_t i = 0; i < poses.size(); i += 2) poses[left++] = poses[i];
    poses.resize(left);
    pair.stride *= 2;
    pair.kept.times.clear();
    for (std::size_t i = 0; i < poses.size(); ++i) {
      poses[i].time = static_cast<int>(i);
      pair.kept.times.push_back(static_cast<double>(i));
    }
    if ((pair.belief.frames - 1) % pair.stride != 0) return;
  }
  if (!poses.empty()) {
    const math::Pose& last = poses.back().X_FM;
    const double length = std::max(last.p().norm(), 1e-12);
    pair.change += 2 * last.q().angularDistance(X_ab.q()) + (X_ab.p() - last.p()).norm() / length;
  }
  poses.push_back({static_cast<int>(poses.size()), X_ab});
  pair.kept.times.push_back(static_cast<double>(pair.kept.times.size()));
}

void OnlineDiscovery::fit_next(Pair& pair) {
  PairBelief& belief = pair.belief;
  const int count = static_cast<int>(belief.types.size());
  const auto skip_resting = [&](int from) {
    while (from < count && pair.rests[from] > 0) --pair.rests[from++];
    return from;
  };
  const int k = pair.next_type;  // one that does not rest
  FitOptions fit;
  fit.max_iterations = 4;  // closed forms begin near enough
  fit.tolerance = 0.1;
  fit.noise_shape = NoiseShape::gaussian;
  fit.robust = false;  // searching for outliers costs many fits; discover() does it in the end
  TypeBelief& type = belief.types[k];
  pair.fits[k] = fit_joint(type.type, pair.kept, fit);
  const JointFit& found = pair.fits[k];
  type.fitted = found.status != FitStatus::failed;
  const int kept = static_cast<int>(pair.kept.poses.size());
  if (type.fitted) {
    type.score = found.log_likelihood_independent - penalty(Criterion::bic, type.type, kept);
    // What is free must explain every frame a nat better, as in selection.
    if (type.type == model::JointType::free) type.score -= kept;
  }
  const TypeBelief* best = belief.best();
  pair.next_type = skip_resting(k + 1);
  pair.in_turn = pair.next_type < count;
  if (!pair.in_turn) {
    // The turn ends. What lies far behind need not be looked at each time; motion yet to come seldom helps it.
    constexpr double kFarBehind = 30.0;  // [nats]
    constexpr int kRest = 3;             // turns
    for (int i = 0; i < count; ++i)
      if (best && pair.rests[i] == 0 && belief.types[i].fitted &&
          belief.types[i].score < best->score - kFarBehind)
        pair.rests[i] = kRest;
    while (pair.next_type == count) pair.next_type = skip_resting(0);
    pair.change = 0;
    belief.fitted_at = belief.frames;
  }
  if (!best) return;
  double sum = 0;
  for (TypeBelief& each : belief.types) {
    each.probability = each.fitted ? std::exp(each.score - best->score) : 0.0;
    sum += each.probability;
  }
  for (TypeBelief& each : belief.types) each.probability /= sum;
  belief.fit = pair.fits[static_cast<std::size_t>(best - belief.types.data())];
}

void OnlineDiscovery::add(double t, std::span<const std::optional<math::Pose>> X_WP) {
  if (X_WP.size() != parts_.size())
    throw std::invalid_argument("a frame of " + std::to_string(X_WP.size()) + " poses for " +
                                std::to_string(parts_.size()) + " parts");
  if (frames_ > 0 && !(t > last_t_))
    throw std::invalid_argument("time " + std::to_string(t) + " s does not come after " +
                                std::to_string(last_t_) + " s");
  last_t_ = t;
  ++frames_;
  for (Pair& pair : pairs_) {
    const auto &A = X_WP[pair.belief.a], &B = X_WP[pair.belief.b];
    if (A && B) keep(pair, A->inverse() * *B);
  }
  for (int k = 0; k < options_.fits_per_frame; ++k) {
    // A pair in the middle of its types goes on; else the one that changed most, with those that wait longest in turn.
    Pair* chosen = nullptr;
    double most = 0;
    for (Pair& pair : pairs_) {
      if (static_cast<int>(pair.kept.poses.size()) < options_.least_frames) continue;
      const double waits =
          pair.belief.fitted_at == 0 ? 1e3 : 0.02 * (pair.belief.frames - pair.belief.fitted_at);
      const double urgency = pair.in_turn ? std::numeric_limits<double>::infinity() : pair.change + waits;
      if (urgency > most) {
        most = urgency;
        chosen = &pair;
      }
    }
    if (!chosen) return;
    fit_next(*chosen);
  }
}

OnlineTree OnlineDiscovery::tree() const {
  std::vector<WeightedEdge> edges;
  std::vector<const PairBelief*> of_edge;
  for (const Pair& pair : pairs_) {
    const TypeBelief* best = pair.belief.best();
    if (!best) continue;
    // Pairs have different numbers of frames: per frame.
    edges.push_back({pair.belief.a, pair.belief.b,
                     best->score / static_cast<double>(std::max<std::size_t>(1, pair.kept.poses.size()))});
    of_edge.push_back(&pair.belief);
  }
  OnlineTree result;
  for (const int e : best_spanning_tree(static_cast<int>(parts_.size()), edges))
    result.joints.push_back(of_edge[e]);
  result.is_complete = result.joints.size() + 1 == parts_.size();
  return result;
}

}  // namespace prehend::articulation
