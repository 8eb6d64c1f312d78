#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <prehend/geometry/house/small_hull.h>
#include <prehend/math/interrupt.h>
#include <prehend/parts/merging/region_merging.h>

namespace prehend::parts {

std::vector<Eigen::Vector3d> thinned_corners(std::vector<Eigen::Vector3d> corners, std::size_t most) {
  if (corners.size() <= most) return corners;
  std::set<std::size_t> kept;
  for (std::size_t k = 0; k < most; ++k) {  // a spiral over the sphere
    const double z = 1.0 - (2.0 * static_cast<double>(k) + 1.0) / static_cast<double>(most),
                 r = std::sqrt(1.0 - z * z);
    const double turn = 2.399963229728653 * static_cast<double>(k);
    const Eigen::Vector3d d(r * std::cos(turn), r * std::sin(turn), z);
    std::size_t best = 0;
    double farthest = d.dot(corners[0]);
    for (std::size_t i = 1; i < corners.size(); ++i)
      if (const double along = d.dot(corners[i]); along > farthest) farthest = along, best = i;
    kept.insert(best);
  }
  std::vector<Eigen::Vector3d> result;
  for (const std::size_t i : kept) result.push_back(corners[i]);
  return result;
}

namespace {

// Corners, edges and faces of a cube, one of each two opposite.
std::vector<Eigen::Vector3d> outline_of(const std::vector<Eigen::Vector3d>& corners) {
  static const std::vector<Eigen::Vector3d> directions = [] {
    std::vector<Eigen::Vector3d> list;
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = 0; z <= 1; ++z)
          if (z > 0 || y > 0 || (y == 0 && x > 0)) list.emplace_back(x, y, z);
    return list;
  }();
  if (corners.size() <= 2 * directions.size()) return corners;
  std::vector<char> is_kept(corners.size(), 0);
  for (const Eigen::Vector3d& d : directions) {
    std::size_t low = 0, high = 0;
    double least = d.dot(corners[0]), most = least;
    for (std::size_t i = 1; i < corners.size(); ++i) {
      const double along = d.dot(corners[i]);
      if (along < least) least = along, low = i;
      if (along > most) most = along, high = i;
    }
    is_kept[low] = is_kept[high] = 1;
  }
  std::vector<Eigen::Vector3d> outline;
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (is_kept[i]) outline.push_back(corners[i]);
  return outline;
}

std::vector<Eigen::Vector3d> joined(const std::vector<Eigen::Vector3d>& a,
                                    const std::vector<Eigen::Vector3d>& b) {
  std::vector<Eigen::Vector3d> points;
  points.reserve(a.size() + b.size());
  points.insert(points.end(), a.begin(), a.end());
  points.insert(points.end(), b.begin(), b.end());
  return points;
}

}  // namespace

RegionMerging::RegionMerging(std::vector<Region> leaves, MergeCost cost, std::size_t corners)
    : regions_(std::move(leaves)), borders_(regions_.size()), cost_(std::move(cost)), corners_(corners) {
  regions_.reserve(2 * regions_.size());
  borders_.reserve(2 * regions_.size());
  for (int i = 0; i < std::ssize(regions_); ++i) {
    alive_.insert(i);
    regions_[i].corners = thinned_corners(std::move(regions_[i].corners), corners_);
    regions_[i].outline = outline_of(regions_[i].corners);
  }
}

void RegionMerging::add_border(int a, int b, const Border& border) {
  for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
    Border& sum = borders_[from][to];
    sum.weight += border.weight;
    sum.groove += border.groove;
  }
}

namespace {

// To 16 bits: costs that are equal but for rounding, as symmetric objects have them, are told apart by the order of the regions. (Hulls of
// points in one plane come out alike to about 1e-6.)
double rounded(double cost) {
  int exponent = 0;
  const double mantissa = std::frexp(cost, &exponent);
  return std::ldexp(std::round(65536.0 * mantissa), exponent);
}

}  // namespace

bool RegionMerging::Candidate::operator<(const Candidate& other) const {
  const double own = rounded(cost), others = rounded(other.cost);
  return std::tie(own, a, b) > std::tie(others, other.a, other.b);
}

double RegionMerging::cost_of(const Candidate& c) const {
  return cost_({regions_[c.a], regions_[c.b], borders_[c.a].at(c.b), c.hull});
}

void RegionMerging::push(Candidate candidate) {
  candidates_.push_back(std::move(candidate));
  std::push_heap(candidates_.begin(), candidates_.end());
}

RegionMerging::Candidate RegionMerging::pop() {
  std::pop_heap(candidates_.begin(), candidates_.end());
  Candidate top = std::move(candidates_.back());
  candidates_.pop_back();
  return top;
}

void RegionMerging::propose(int a, int b) {
  if (a > b) std::swap(a, b);
  Candidate candidate{0.0, a, b, Bound::larger_hull, {}, std::max(regions_[a].hull, regions_[b].hull)};
  candidate.cost = cost_of(candidate);
  push(std::move(candidate));
}

void RegionMerging::sharpen(Candidate& candidate) const {
  const Region &a = regions_[candidate.a], &b = regions_[candidate.b];
  const bool has_outline =
      a.outline.size() + b.outline.size() < a.corners.size() + b.corners.size();  // not all the corners
  if (candidate.bound == Bound::larger_hull && has_outline) {
    candidate.bound = Bound::outline;
    candidate.hull = std::max(candidate.hull, geometry::small_hull(joined(a.outline, b.outline)).volume);
  } else {
    candidate.bound = Bound::exact;
    const std::vector<Eigen::Vector3d> points = joined(a.corners, b.corners);
    const geometry::SmallHull hull = geometry::small_hull(points);
    candidate.hull = std::max(candidate.hull, hull.volume);
    candidate.corners.reserve(hull.corners.size());
    for (const int i : hull.corners) candidate.corners.push_back(points[i]);
  }
  candidate.cost = cost_of(candidate);
}

void RegionMerging::merge(Candidate chosen, double cost) {
  const auto [a, b] = std::pair{chosen.a, chosen.b};
  const int node = static_cast<int>(regions_.size());
  const Region &first = regions_[a], &second = regions_[b];
  Region whole;
  whole.corners = thinned_corners(std::move(chosen.corners), corners_);
  whole.outline = outline_of(whole.corners);
  whole.hull = chosen.hull;
  whole.volume = first.volume + second.volume;
  whole.elements = first.elements + second.elements;
  whole.colour_sum = first.colour_sum + second.colour_sum;
  whole.colour_squares = first.colour_squares + second.colour_squares;
  regions_.push_back(std::move(whole));
  borders_.emplace_back();
  merges_.push_back({a, b, merges_.empty() ? cost : std::max(cost, merges_.back().cost), cost});
  alive_.erase(a), alive_.erase(b);
  alive_.insert(node);
  for (const int old : {a, b}) {
    for (const auto& [other, border] : borders_[old])
      if (other != a && other != b && alive_.contains(other)) add_border(node, other, border);
    borders_[old].clear();
    regions_[old].corners = {};
    regions_[old].outline = {};
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
    math::check_interrupt();
    Candidate chosen = pop();
    if (!alive_.contains(chosen.a) || !alive_.contains(chosen.b)) continue;
    if (chosen.bound != Bound::exact) {
      sharpen(chosen);
      push(std::move(chosen));
      continue;
    }
    const double cost = offset + chosen.cost;
    merge(std::move(chosen), cost);
  }
}

void RegionMerging::merge_as(const PartTree& tree, double offset) {
  for (const PartMerge& given : tree.merges) {
    const auto [a, b] = std::minmax(given.a, given.b);
    const bool has_border = borders_[a].contains(b);
    if (!has_border) add_border(a, b, {1.0, 1.0});
    Candidate chosen{0.0, a, b, Bound::outline, {}, std::max(regions_[a].hull, regions_[b].hull)};
    sharpen(chosen);
    const double cost = chosen.cost + (has_border ? 0.0 : offset);
    merge(std::move(chosen), cost);
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
