// Many pushes with few programs: values of h = 1/R between those that were solved, with proven bounds.
//
// Pushes on one body in one direction differ by where their line of action passes, two numbers x, y, and their wrench is
// affine in them. So h is convex in (x, y): between three solved points it lies below their plane, and above the tangent
// plane that each limiting motion gives. Triangles are halved, wave by wave, until the two agree to the accuracy at
// every point asked for, or hold so few points that solving those is cheaper.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <prehend/stability/limit/limiting_motion.h>
#include <prehend/stability/limit/scaled_system.h>

namespace prehend::stability {

// A unit push on one body.
struct PointLoad {
  int body{0};
  Eigen::Vector3d r{Eigen::Vector3d::Zero()};  // point, from the body's reference point, in lengths
  Eigen::Vector3d d{Eigen::Vector3d::Zero()};  // unit direction
};

// What a solver says of one load: low <= h <= high.
struct PointValue {
  bool failed{false};
  bool unbounded{false};  // high is as good as zero
  double low{0.0}, high{0.0};
  // Of the pushed body in the limiting motion, such that low = (r x d, d) . twist.
  math::Vector6d twist{math::Vector6d::Zero()};
  LimitingMotion motion;
};

struct MapValue {
  enum class Status { open, failed, bounded, unbounded };
  Status status{Status::open};
  double low{0.0}, high{0.0};  // of h
  int motion{-1};              // into MapValues::motions
};

struct MapValues {
  std::vector<MapValue> values;         // in the order asked
  std::vector<LimitingMotion> motions;  // of the solved points
  long programs{0};
};

// Solves loads so that high - low is at most `gap` times high.
using PointSolver =
    std::function<void(std::span<const PointLoad> loads, std::span<PointValue> values, double gap)>;

// Half the gap between the bounds is at most `accuracy`, relative. h below `unbounded_below` counts as unbounded.
MapValues map_loads(std::span<const PointLoad> loads, double accuracy, double unbounded_below,
                    const PointSolver& solve);

}  // namespace prehend::stability
