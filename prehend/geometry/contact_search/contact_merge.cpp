#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/contact_merge.h>
#include <prehend/geometry/contact_search/contact_pair.h>
#include <prehend/geometry/polygon2.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Areas that agree to rounding are equal, else turning the scene would reorder equal patches.
bool comes_before(const ContactPatch& a, const ContactPatch& b) {
  if (a.kind != b.kind) return a.kind > b.kind;
  return a.area_m2 > b.area_m2 * (1.0 + 1e-9);
}

bool lies_in_plane(const ContactPatch& patch, const ContactPatch& reference, const ContactOptions& options) {
  if (patch.n_W.dot(reference.n_W) < std::cos(options.angle_tolerance)) return false;
  const Vector3d& origin = reference.loops_W.front().front();
  for (const auto& loop : patch.loops_W) {
    for (const Vector3d& p : loop) {
      if (std::abs(reference.n_W.dot(p - origin)) > options.gap_tolerance) return false;
    }
  }
  return true;
}

void unite_faces(const std::vector<const ContactPatch*>& faces, const PlaneAxes& axes,
                 ContactInterface& interface) {
  Polygon2 region;
  bool is_closed = true;
  for (const ContactPatch* patch : faces) {
    Polygon2 flat;
    for (const auto& loop : patch->loops_W) {
      Loop2& flat_loop = flat.loops.emplace_back();
      for (const Vector3d& p : loop) flat_loop.push_back(axes.flat(p));
    }
    const BooleanResult grown = unite(region, flat);
    is_closed = is_closed && grown.is_closed;
    if (!is_closed) break;
    region = grown.polygon;
  }
  if (!is_closed) return;  // the patches stay as they are: same points, area as summed
  double extent = 0.0;
  for (const Loop2& loop : region.loops) {
    for (const Vector2d& x : loop) extent = std::max(extent, (x - region.loops[0][0]).norm());
  }
  region = simplified(region, 1e-9 * extent);
  interface.area_m2 = area(region);
  interface.loops_W.clear();
  for (const Loop2& loop : region.loops) {
    auto& outline = interface.loops_W.emplace_back();
    for (const Vector2d& x : loop) outline.push_back(axes.lifted(x));
  }
}

void collect_points(ContactInterface& interface, const PlaneAxes& axes, const std::vector<Vector3d>& singles,
                    double same) {
  const auto add = [&](const Vector3d& p) {
    for (const Vector3d& q : interface.points_W) {
      if ((p - q).squaredNorm() <= same * same) return;
    }
    interface.points_W.push_back(p);
  };
  for (const auto& loop : interface.loops_W) std::for_each(loop.begin(), loop.end(), add);
  for (const auto& line : interface.lines_W) std::for_each(line.begin(), line.end(), add);
  std::for_each(singles.begin(), singles.end(), add);
  std::vector<Vector2d> flat;
  for (const Vector3d& p : interface.points_W) flat.push_back(axes.flat(p));
  interface.hull = convex_hull(flat, same);
}

}  // namespace

std::vector<ContactInterface> merge_patches(std::vector<ContactPatch> patches,
                                            const ContactOptions& options) {
  std::stable_sort(patches.begin(), patches.end(), comes_before);
  std::vector<ContactInterface> interfaces;
  std::vector<std::vector<const ContactPatch*>> groups;
  for (const ContactPatch& patch : patches) {
    const auto home = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return lies_in_plane(patch, *group.front(), options);
    });
    if (home != groups.end()) {
      home->push_back(&patch);
    } else {
      groups.push_back({&patch});
    }
  }
  for (const auto& group : groups) {
    ContactInterface& interface = interfaces.emplace_back();
    interface.kind = group.front()->kind;
    interface.n_W = group.front()->n_W;
    interface.gap_min_m = group.front()->gap_min_m;
    interface.gap_max_m = group.front()->gap_max_m;
    const PlaneAxes axes(group.front()->loops_W.front().front(), interface.n_W);
    std::vector<const ContactPatch*> faces;
    std::vector<Vector3d> singles;
    for (const ContactPatch* patch : group) {
      interface.area_m2 += patch->area_m2;
      interface.gap_min_m = std::min(interface.gap_min_m, patch->gap_min_m);
      interface.gap_max_m = std::max(interface.gap_max_m, patch->gap_max_m);
      if (patch->kind == ContactKind::face) {
        faces.push_back(patch);
        interface.loops_W.insert(interface.loops_W.end(), patch->loops_W.begin(), patch->loops_W.end());
      } else if (patch->kind == ContactKind::edge) {
        interface.lines_W.push_back({patch->loops_W[0][0], patch->loops_W[0][1]});
      } else {
        singles.push_back(patch->loops_W[0][0]);
      }
    }
    if (faces.size() > 1) unite_faces(faces, axes, interface);
    collect_points(interface, axes, singles, 0.01 * options.gap_tolerance);
  }
  return interfaces;
}

}  // namespace prehend::geometry
