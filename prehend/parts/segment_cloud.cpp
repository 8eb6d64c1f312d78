#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include <prehend/geometry/hull.h>
#include <prehend/math/progress.h>
#include <prehend/parts/clusters/camera_direction.h>
#include <prehend/parts/clusters/cloud_regions.h>
#include <prehend/parts/clusters/prepared_cloud.h>
#include <prehend/parts/clusters/table_plane.h>
#include <prehend/parts/merging/cloud_tree.h>
#include <prehend/parts/merging/part_count.h>
#include <prehend/parts/merging/tree_leaves.h>
#include <prehend/parts/segmentation.h>
#include <prehend/parts/shapes/leaf_extents.h>
#include <prehend/parts/shapes/nearest_point.h>
#include <prehend/parts/shapes/volume_samples.h>
#include <prehend/parts/source/htc.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;

// Share of the surface that bridges gaps between the points: 0 to 26 % on 38 closed clouds (the most on sheets), 0 to 9 % with noise, 31 to
// 76 % on twelve recorded tools seen from one side (31 % a ruler, which is folded). Chosen between these, on one view of each.
constexpr double kUnseen = 0.35;
// Spacings between the lowest point of a cloud that shows one side and the plane assumed below it: a plate that is lowest of all needs some
// thickness to be a region.
constexpr double kBelow = 2.0;
// Fewer points leave volumes uncertain: six recorded tools thinned to 800 points were off by 1 to 8 %, to 400 by 1 to 24 %, to 200 by 1 to 53 %.
constexpr std::size_t kFewPoints = 500;

void check_input(const std::vector<Vector3d>& points, const std::vector<Vector3d>& colours) {
  if (!colours.empty() && colours.size() != points.size())
    throw std::invalid_argument("segment_cloud: " + std::to_string(colours.size()) + " colours for " +
                                std::to_string(points.size()) + " points; expected one per point, or none");
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!points[i].allFinite())
      throw std::invalid_argument("segment_cloud: point " + std::to_string(i) + " is not finite");
}

// Points outside the solid and pieces of few points are strays unless they lie within three spacings of the rest; then the
// nearest point's region is theirs. Returns the number of strays.
int name_strays(const PreparedCloud& cloud, CloudRegions& regions, std::vector<std::string>& problems) {
  const std::vector<int> piece = pieces_of(cloud.points.size(), regions.edges);
  std::map<int, int> sizes;
  for (std::size_t i = 0; i < cloud.seen; ++i)
    if (regions.region_of[i] >= 0) ++sizes[piece[i]];
  // Half a percent of the points: a stray speck, or a part so small that nothing can be said of its shape.
  const double least = std::max(4.0, 0.005 * static_cast<double>(cloud.seen));
  std::vector<Vector3d> kept;
  std::vector<int> region;
  int large = 0;
  for (const auto& [root, size] : sizes) large += size >= least;
  // More small pieces than regions are crumbs of a surface that is dense against its noise, or of one inside another: no parts, and all
  // pairs of thousands of them would take minutes.
  const bool are_crumbs = std::ssize(sizes) - large > kRegions;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    if (regions.region_of[i] < 0 || sizes[piece[i]] < least) continue;
    kept.push_back(cloud.points[i]);
    region.push_back(regions.region_of[i]);
  }
  if (kept.empty()) return 0;
  const NearestPoint nearest(kept);
  std::vector<int> region_of = regions.region_of;
  int strays = 0;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    if (region_of[i] >= 0 && sizes[piece[i]] >= least) continue;
    const int near = nearest(cloud.points[i]);
    const bool is_near = (kept[near] - cloud.points[i]).norm() <= 3.0 * regions.solid.spacing;
    if (is_near && region_of[i] >= 0 && !are_crumbs) continue;  // a small piece beside the rest stays one
    region_of[i] = is_near ? region[near] : -1;
    strays += !is_near && i < cloud.seen;
  }
  if (large > 1)
    problems.push_back("the points form " + std::to_string(large) +
                       " pieces apart from each other; they are taken as one object");
  use_regions(std::move(region_of), cloud.seen, regions);
  return strays;
}

// Spacings that a sample must lie further inside the extent of another leaf than inside that of its own.
constexpr double kInsideBy = 0.1;

// Volumes count what bends beyond the facets (CloudSolid::bulges) up to the first share of points off the surface, nothing of it from the second
// on: noise bends facets too. 84 generated tools (seeds 401 to 403, 501 to 504): volumes 1.9 % off without it in the mean, 1.2 % with it (rulers
// 4.6 and 0.9 %); with noise of 0.1 % of the diagonal 1.2 and 1.3 %, with 0.2 % 2.1 and 3.8 %.
constexpr double kSmooth = 0.05, kBentByNoise = 0.15;

// Per point, the factor on its quarters of the tetrahedra. Between a half and twice: a point has little behind it at a rim.
std::vector<double> volume_factors(const CloudRegions& regions, bool shows_all) {
  std::vector<double> factors(regions.point_volumes.size(), 1.0);
  const double trust =
      std::clamp((kBentByNoise - regions.solid.off_surface) / (kBentByNoise - kSmooth), 0.0, 1.0);
  if (!shows_all || trust == 0.0) return factors;
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (const double volume = regions.point_volumes[i]; volume > 0.0)
      factors[i] = std::clamp(1.0 + trust * regions.solid.bulges[i] / volume, 0.5, 2.0);
  return factors;
}

// Four samples per tetrahedron, each with the leaf of the corner it is nearest to; of tetrahedra at strays none. Where the corners are of
// several leaves, with the one of them whose extent it lies in: under the foot of a shaft is the handle.
void add_tetrahedra(const PreparedCloud& cloud, const CloudRegions& regions, bool shows_all,
                    Segmentation& result) {
  const std::vector<double> factor = volume_factors(regions, shows_all);
  const LeafExtents extents(cloud.points, regions.region_of, regions.count);
  for (std::size_t t = 0; t < regions.solid.tetrahedra.size(); ++t) {
    const auto& v = regions.solid.tetrahedra[t];
    if (!(regions.solid.volumes[t] > 0.0)) continue;
    const auto points =
        degree_two_points({cloud.points[v[0]], cloud.points[v[1]], cloud.points[v[2]], cloud.points[v[3]]});
    for (int k = 0; k < 4; ++k) {
      int leaf =
          regions.leaf_of_tetrahedron.empty() ? regions.region_of[v[k]] : regions.leaf_of_tetrahedron[t];
      if (regions.leaf_of_tetrahedron.empty() && leaf >= 0)
        leaf = extents.leaf_around(points[k], leaf,
                                   {regions.region_of[v[0]], regions.region_of[v[1]], regions.region_of[v[2]],
                                    regions.region_of[v[3]]},
                                   kInsideBy * regions.solid.spacing);
      if (leaf >= 0)
        result.samples.push_back({points[k], 0.25 * factor[v[k]] * regions.solid.volumes[t], leaf});
    }
  }
}

// Each triangle of the surface belongs to the leaf of two of its corners, or of the first.
void add_surface(const PreparedCloud& cloud, const CloudRegions& regions, Segmentation& result) {
  result.surface.vertices = cloud.points;
  for (const Eigen::Vector3i& t : regions.solid.surface) {
    const int a = regions.region_of[t[0]], b = regions.region_of[t[1]], c = regions.region_of[t[2]];
    if (a < 0 || b < 0 || c < 0) continue;
    result.surface.triangles.push_back(t);
    result.surface_leaf.push_back(b == c ? b : a);
  }
}

// The hull of each part in place of tetrahedra: what was seen from one side only encloses nothing by itself.
void add_hulls(const PreparedCloud& cloud, const CloudRegions& regions, int parts, Segmentation& result) {
  const std::vector<int> part_of = result.tree.cut(parts);
  for (int part = 0; part < parts; ++part) {
    std::vector<Vector3d> points;
    std::vector<int> leaf;
    for (std::size_t i = 0; i < cloud.points.size(); ++i) {
      if (regions.region_of[i] < 0 || part_of[regions.region_of[i]] != part) continue;
      points.push_back(cloud.points[i]);
      leaf.push_back(regions.region_of[i]);
    }
    const geometry::HullResult hull = geometry::convex_hull(points);
    if (hull.status != geometry::HullStatus::ok) continue;
    const NearestPoint nearest(points);
    Vector3d middle = Vector3d::Zero();
    for (const Vector3d& p : hull.mesh.vertices) middle += p / static_cast<double>(hull.mesh.vertices.size());
    for (const Eigen::Vector3i& f : hull.mesh.triangles) {
      const Vector3d &a = hull.mesh.vertices[f[0]], &b = hull.mesh.vertices[f[1]],
                     &c = hull.mesh.vertices[f[2]];
      const double volume = (a - middle).dot((b - middle).cross(c - middle)) / 6.0;
      if (!(volume > 0.0)) continue;
      for (const Vector3d& p : degree_two_points({a, b, c, middle}))
        result.samples.push_back({p, 0.25 * volume, leaf[nearest(p)]});
    }
  }
}

// A leaf without a sample (its hull is all its neighbours') takes over the nearest one of a leaf that has several, or half of one.
void give_every_leaf_a_sample(const PreparedCloud& cloud, const CloudRegions& regions, Segmentation& result) {
  std::vector<int> count(regions.count, 0);
  for (const VolumeSample& sample : result.samples) ++count[sample.leaf];
  for (int leaf = 0; leaf < regions.count; ++leaf) {
    if (count[leaf] > 0) continue;
    const auto at = std::find(regions.region_of.begin(), regions.region_of.end(), leaf);
    const Vector3d& p = cloud.points[at - regions.region_of.begin()];
    VolumeSample* best = nullptr;
    for (VolumeSample& sample : result.samples)
      if (count[sample.leaf] > 1 &&
          (!best || (sample.point - p).squaredNorm() < (best->point - p).squaredNorm()))
        best = &sample;
    count[leaf] = 1;
    if (best != nullptr) {
      --count[best->leaf];
      best->leaf = leaf;
      continue;
    }
    // Fewer samples than leaves: half of the nearest.
    const auto nearest = std::min_element(result.samples.begin(), result.samples.end(),
                                          [&p](const VolumeSample& a, const VolumeSample& b) {
                                            return (a.point - p).squaredNorm() < (b.point - p).squaredNorm();
                                          });
    nearest->volume *= 0.5;
    result.samples.push_back({nearest->point, nearest->volume, leaf});
  }
}

// A cloud that shows one side only, as if it stood on a plane under its lowest point seen from the camera: what is between two parts that
// were seen is then a gap, not material. The regions become those of the closed cloud; the volumes stay those of what was seen.
PartTree tree_closed_below(const PreparedCloud& cloud, CloudRegions& regions) {
  PreparedCloud closed;
  std::vector<int> point;  // of `cloud`
  for (std::size_t i = 0; i < cloud.seen; ++i) {
    if (regions.region_of[i] < 0) continue;
    point.push_back(static_cast<int>(i));
    closed.points.push_back(cloud.points[i]);
    if (!cloud.colours.empty()) closed.colours.push_back(cloud.colours[i]);
  }
  closed.seen = point.size();
  const auto as_it_is = [&] { return cloud_tree(cloud, regions); };
  if (point.empty()) return as_it_is();
  const Vector3d up = camera_direction(closed.points);
  double lowest = up.dot(closed.points.front());
  for (const Vector3d& p : closed.points) lowest = std::min(lowest, up.dot(p));
  close_by_support({up.x(), up.y(), up.z(), lowest - kBelow * regions.solid.spacing}, closed);
  CloudRegions divided = cloud_regions(closed.points, closed.colours, closed.seen, kRegions);
  if (divided.solid.status != geometry::CloudSolidStatus::ok || divided.count == 0) return as_it_is();
  fill_gaps(closed.points, closed.seen, divided.region_of);
  const PartTree tree = cloud_tree(closed, divided);
  // Leaves that have volume in what was seen too.
  std::vector<double> volume(tree.leaves, 0.0);
  for (std::size_t k = 0; k < point.size(); ++k)
    if (divided.region_of[k] >= 0) volume[divided.region_of[k]] += regions.point_volumes[point[k]];
  std::vector<char> has_volume(tree.leaves, 0);
  bool any = false;
  for (int leaf = 0; leaf < tree.leaves; ++leaf)
    any |= has_volume[leaf] = volume[leaf] > 1e-9 * regions.solid.volume;
  if (!any) return as_it_is();  // a handful of points
  const TreeLeaves kept = without_leaves(tree, has_volume);
  fill_gaps(closed.points, closed.seen, divided.region_of);
  for (std::size_t k = 0; k < point.size(); ++k)
    regions.region_of[point[k]] = kept.leaf_of[divided.region_of[k]];
  regions.count = kept.tree.leaves;
  return kept.tree;
}

// Shares of points off the surface that tell noise, and what it does to volumes. 185 closed meshes of one body from published packages and 52
// generated tools (seeds 501 to 504): 0 to 0.09 but for seven meshes with surfaces inside; with noise of 0.3 % of the diagonal 0.14 to 0.24 and
// volumes up to 12 % off, with 0.6 % 0.25 and more and up to 43 %.
constexpr double kRough = 0.1, kVeryRough = 0.25;
// Sheets thinner than this many spacings, and their share. Rulers: up to 0.02 without noise, 0.04 with 0.05 % (8 % off), 0.09 with 0.2 %
// (46 %), 0.13 with 0.3 % (twice the volume).
constexpr double kSheet = 0.7, kRoughSheet = 0.05;

void say_noise(const geometry::CloudSolid& solid, std::vector<std::string>& problems) {
  const bool is_sheet = solid.thickness < kSheet * solid.spacing;
  if (solid.off_surface <= (is_sheet ? kRoughSheet : kRough)) return;
  char share[160];
  std::snprintf(
      share, sizeof share,
      "%.0f %% of the points lie off the surface of the solid, as with noise or surfaces inside it: ",
      100.0 * solid.off_surface);
  problems.push_back(
      share + std::string(is_sheet ? "the volume of what is as thin as this can be off by half or more"
                          : solid.off_surface > kVeryRough ? "its volume can be off by a third or more"
                                                           : "its volume can be off by a tenth or more"));
}

// Share of the volume in slits narrower than the spacing from which on they are named.
constexpr double kSlits = 0.02;

void say_slits(const geometry::CloudSolid& solid, std::vector<std::string>& problems) {
  const double share = solid.slits / (solid.slits + solid.volume);
  if (!(share > kSlits)) return;
  char text[200];
  std::snprintf(
      text, sizeof text,
      "slits narrower than the spacing of the points were opened, %.0f %% of the volume: too much where "
      "the points show parts that reach into each other, surfaces inside included",
      100.0 * share);
  problems.push_back(text);
}

void say_table(const std::vector<Vector3d>& points, double spacing, std::vector<std::string>& problems) {
  const std::optional<TablePlane> table = table_plane(points, spacing);
  if (!table) return;
  char text[320];
  std::snprintf(
      text, sizeof text,
      "%d points lie in one plane that everything else stands on and that reaches beyond it, as a table "
      "does: it counts as "
      "part of the object; if it is one, take these points out and give --support %.4f %.4f %.4f %.4f",
      table->points, table->normal.x(), table->normal.y(), table->normal.z(), table->offset);
  problems.push_back(text);
}

void say_unseen(const geometry::CloudSolid& solid, std::vector<std::string>& problems) {
  char share[80];
  std::snprintf(share, sizeof share, "%.0f %% of the surface", 100.0 * solid.bridged);
  problems.push_back(share +
                     std::string(" was not seen and is closed straight across: its volume is "
                                 "uncertain; give --support x y z d where the object stands on a plane"));
}

// Whether most of the surface was seen from one side only. Folded points: 0 to 6 % on 38 closed clouds of 2000 points, 0 to 2 % with noise of
// 0.3 % of the diagonal, 7 to 68 % on twelve tools seen from one side; those below the level enclose half a solid, which kUnseen tells.
bool is_one_sided(const CloudRegions& regions) { return regions.solid.folded > 0.4; }

}  // namespace

Segmentation segment_cloud(const std::vector<Vector3d>& points, const std::vector<Vector3d>& colours,
                           const SegmentOptions& options) {
  options.validate();
  check_input(points, colours);
  Segmentation result;
  result.method = options.method;
  math::Progress progress("segmentation", 4);  // points, regions, tree, volumes
  PreparedCloud cloud = prepare_cloud(points, colours, options.support);
  progress.advance();
  result.problems = cloud.problems;
  say_size(points, result.problems);
  if (cloud.seen < kFewPoints)
    result.problems.push_back("only " + std::to_string(cloud.seen) +
                              " different points: volumes can be off by a fifth and more");
  if (!cloud.colours.empty()) {
    for (std::size_t i = 0; i < points.size(); ++i)
      result.colours.push_back(cloud.colours[cloud.point_of[i]]);
  }
  CloudRegions regions = cloud_regions(cloud.points, cloud.colours, cloud.seen, kRegions);
  progress.advance();
  if (regions.solid.status != geometry::CloudSolidStatus::ok || regions.count == 0) {
    result.reason = "the " + std::to_string(points.size()) + " points (" + std::to_string(cloud.seen) +
                    " different) span no volume; expected points all around a solid";
    return result;
  }
  const int strays = name_strays(cloud, regions, result.problems);
  if (strays > 0)
    result.problems.push_back(std::to_string(strays) +
                              (strays == 1 ? " stray point is" : " stray points are") +
                              " left out (label -1)");
  if (!options.support) say_table(points, regions.solid.spacing, result.problems);
  if (options.method == SegmentMethod::ours) {
    const bool shows_one_side = is_one_sided(regions) || regions.solid.bridged > kUnseen;
    result.tree =
        shows_one_side && !options.support ? tree_closed_below(cloud, regions) : cloud_tree(cloud, regions);
  } else {
    result.tree = source_tree(cloud.points, cloud.colours, cloud.seen, options.method, regions);
  }
  progress.advance();
  const int parts = options.parts.value_or(suggested_parts(result.tree));
  if (is_one_sided(regions)) {
    result.tree.cut(parts);  // throws where there are not as many leaves
    // Parts of a few points in one plane have no hull; then that of more points together.
    for (int count = parts; count >= 1 && result.samples.empty(); --count)
      add_hulls(cloud, regions, count, result);
    result.problems.push_back(
        "the surface was seen from one side only: each part is closed by its hull; give --support x y z d "
        "where the object stands on a plane");
  } else {
    // A plane below has points of its own inside, under what was seen.
    const bool shows_all = regions.solid.bridged <= kUnseen && !options.support;
    add_tetrahedra(cloud, regions, shows_all, result);
    if (shows_all) {
      say_noise(regions.solid, result.problems);
      say_slits(regions.solid, result.problems);
    } else if (!options.support) {
      say_unseen(regions.solid, result.problems);
    }
  }
  if (result.samples.empty()) {
    result.reason = "the points enclose no volume; expected points all around a solid";
    return result;
  }
  give_every_leaf_a_sample(cloud, regions, result);
  add_surface(cloud, regions, result);
  for (VolumeSample& sample : result.samples) {
    result.volume += sample.volume;
    sample.point = cloud.frame.from_own(sample.point);
  }
  for (Vector3d& p : result.surface.vertices) p = cloud.frame.from_own(p);
  for (std::size_t i = 0; i < points.size(); ++i)
    result.leaf_of.push_back(regions.region_of[cloud.point_of[i]]);
  result.cut(parts);
  result.status = SegmentStatus::ok;
  return result;
}

}  // namespace prehend::parts
