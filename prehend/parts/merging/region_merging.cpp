#include <algorithm>
#include <cmath>
#include <utility>

#include <prehend/geometry/small_hull.h>
#include <prehend/parts/merging/region_merging.h>

namespace prehend::parts {

std::vector<Eigen::Vector3d> thinned_corners(std::vector<Eigen::Vector3d> corners) {
  constexpr std::size_t kMost = 160;
  if (corners.size() <= kMost) return corners;
  std::set<std::size_t> kept;
  for (std::size_t k = 0; k < kMost; ++k) {  // a spiral over the sphere
    const double z = 1.0 - (2.0 * static_cast<double>(k) + 1.0) / kMost, r = std::sqrt(1.0 - z * z);
    const double turn = 2.399963229728653 * static_cast<double>(k);
    const Eigen::Vector3d d(r * std::cos(turn), r * std::sin(turn), z);
    std::size_t best = 0;
    double most = d.dot(corners[0]);
    for (std::size_t i = 1; i < corners.size(); ++i)
      if (const double along = d.dot(corners[i]); along > most) most = along, best = i;
    kept.insert(best);
  }
  std::vector<Eigen::Vector3d> result;
  for (const std::size_t i : kept) result.push_back(corners[i]);
  return result;
}

RegionMerging::RegionMerging(std::vector<Region> leaves, MergeCost cost)
    : regions_(std::move(leaves)), borders_(regions_.size()), cost_(std::move(cost)) {
  regions_.reserve(2 * regions_.size());
  borders_.reserve(2 * regions_.size());
  for (int i = 0; i < std::ssize(regions_); ++i) alive_.insert(i);
}

void RegionMerging::add_border(int a, int b, const Border& border) {
  for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
    Border& sum = borders_[from][to];
    sum.weight += border.weight;
    sum.groove += border.groove;
  }
}

void RegionMerging::propose(int a, int b) {
  if (a > b) std::swap(a, b);
  std::vector<Eigen::Vector3d> points = regions_[a].corners;
  points.insert(points.end(), regions_[b].corners.begin(), regions_[b].corners.end());
  const geometry::SmallHull hull = geometry::small_hull(points);
  Candidate candidate{0.0, a, b, {}, hull.volume};
  candidate.corners.reserve(hull.corners.size());
  for (const int i : hull.corners) candidate.corners.push_back(points[i]);
  candidate.corners = thinned_corners(std::move(candidate.corners));
  candidate.cost = cost_({regions_[a], regions_[b], borders_[a].at(b), hull.volume});
  candidates_.emplace(candidate.cost, std::move(candidate));
}

void RegionMerging::merge(const Candidate& chosen, double cost) {
  const auto [a, b] = std::pair{chosen.a, chosen.b};
  const int node = static_cast<int>(regions_.size());
  const Region &first = regions_[a], &second = regions_[b];
  Region whole{chosen.corners,
               chosen.hull,
               first.volume + second.volume,
               first.elements + second.elements,
               first.colour_sum + second.colour_sum,
               first.colour_squares + second.colour_squares};
  regions_.push_back(std::move(whole));
  borders_.emplace_back();
  merges_.push_back({a, b, cost});
  alive_.erase(a), alive_.erase(b);
  alive_.insert(node);
  for (const int old : {a, b}) {
    for (const auto& [other, border] : borders_[old])
      if (other != a && other != b && alive_.contains(other)) add_border(node, other, border);
    borders_[old].clear();
  }
  for (const auto& [other, border] : borders_[node]) {
    borders_[other].erase(a), borders_[other].erase(b);
    propose(node, other);
  }
}

void RegionMerging::merge_neighbours(double offset) {
  candidates_.clear();
  for (const int a : alive_)
    for (const auto& [b, border] : borders_[a])
      if (a < b) propose(a, b);
  while (!candidates_.empty()) {
    const Candidate chosen = std::move(candidates_.begin()->second);
    candidates_.erase(candidates_.begin());
    if (!alive_.contains(chosen.a) || !alive_.contains(chosen.b)) continue;
    double cost = offset + chosen.cost;
    if (!merges_.empty()) cost = std::max(cost, merges_.back().cost);
    merge(chosen, cost);
  }
}

MergeCost our_cost(double elements, const CostWeights& w) {
  return [elements, w](const Union& u) {
    const double hull = std::max(u.hull, 1e-300);
    const double growth = std::max(0.0, u.hull - u.a.hull - u.b.hull) / hull;
    const double hollow = std::clamp((u.hull - u.a.volume - u.b.volume) / hull, 0.0, 1.0);
    const double groove =
        u.border.weight > 0.0 ? std::min(1.0, w.groove_scale * u.border.groove / u.border.weight) : 0.0;
    const Eigen::Vector3d colour_a = u.a.colour_sum / u.a.elements, colour_b = u.b.colour_sum / u.b.elements;
    const double inside = std::max(0.0, u.a.colour_squares - u.a.elements * colour_a.squaredNorm()) +
                          std::max(0.0, u.b.colour_squares - u.b.elements * colour_b.squaredNorm());
    const double deviation = std::sqrt(inside / (u.a.elements + u.b.elements));
    const double step = (colour_a - colour_b).norm();
    const double colour = step / (step + w.variation * deviation + w.faint);
    const double share = std::min(u.a.elements, u.b.elements) / elements;
    return std::pow(share, w.size) *
           (w.growth * growth + w.hollow * hollow + w.groove * groove + w.colour * colour + w.plain);
  };
}

MergeCost source_cost(double elements, double volume) {
  return [elements, volume](const Union& u) {
    const double concavity = (u.hull - u.a.volume - u.b.volume) / volume;
    if (concavity > 1e-6) return concavity + 1.0;
    return (u.a.elements * u.a.elements + u.b.elements * u.b.elements) / (elements * elements);
  };
}

}  // namespace prehend::parts
