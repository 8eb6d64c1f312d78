#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/geometry/polygon2.h>
#include <prehend/geometry/sampling.h>
#include <prehend/stability/statics/interface_points.h>

namespace prehend::stability {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Uniform over the faces by area; where there are none, over the edges by length; else over the points.
class InterfaceSampler {
 public:
  explicit InterfaceSampler(const geometry::ContactInterface& interface) : interface_(interface) {
    frame_ = contact_frame(interface.n_W);
    origin_ = interface.points_W.front();
    for (const auto& loop : interface.loops_W) {
      geometry::Loop2& flat = polygon_.loops.emplace_back();
      for (const Vector3d& p : loop) flat.push_back((frame_.transpose() * (p - origin_)).head<2>());
      for (const Vector2d& x : flat) {
        low_ = low_.cwiseMin(x);
        high_ = high_.cwiseMax(x);
      }
    }
    for (const auto& line : interface.lines_W) length_ += (line[1] - line[0]).norm();
  }

  bool is_extended() const { return !polygon_.is_empty() || length_ > 0.0; }

  Vector3d draw(math::RandomStream& random) const {
    if (!polygon_.is_empty()) {
      // A patch that fills less than a thousandth of its box is a sliver: its corners stand for it.
      for (int attempt = 0; attempt < 2000; ++attempt) {
        const double second = random.uniform(low_.y(), high_.y()),
                     first = random.uniform(low_.x(), high_.x());
        const Vector2d x(first, second);
        if (geometry::contains(polygon_, x)) return origin_ + frame_.leftCols<2>() * x;
      }
      return interface_.points_W[random.below(static_cast<std::uint32_t>(interface_.points_W.size()))];
    }
    double along = random.uniform() * length_;
    for (const auto& line : interface_.lines_W) {
      const double piece = (line[1] - line[0]).norm();
      if (along <= piece) return line[0] + along / piece * (line[1] - line[0]);
      along -= piece;
    }
    return interface_.lines_W.back()[1];
  }

 private:
  const geometry::ContactInterface& interface_;
  Eigen::Matrix3d frame_;
  Vector3d origin_;
  geometry::Polygon2 polygon_;
  Vector2d low_{Vector2d::Constant(std::numeric_limits<double>::infinity())};
  Vector2d high_{-low_};
  double length_{0.0};
};

}  // namespace

Eigen::Matrix3d contact_frame(const Vector3d& n_W) {
  int smallest = 0;
  n_W.cwiseAbs().minCoeff(&smallest);
  const Vector3d u = n_W.cross(Vector3d::Unit(smallest)).normalized();
  Eigen::Matrix3d frame;
  frame << u, n_W.cross(u), n_W;
  return frame;
}

std::vector<Vector3d> sample_interface(const geometry::ContactInterface& interface, int count,
                                       math::RandomStream& random) {
  constexpr int kCandidates = 10;  // source N, 4.5.1
  const InterfaceSampler sampler(interface);
  if (!sampler.is_extended()) return interface.points_W;
  std::vector<Vector3d> chosen;
  for (const int corner : interface.hull)
    chosen.push_back(interface.points_W[static_cast<std::size_t>(corner)]);
  if (static_cast<int>(chosen.size()) > count) {
    std::vector<Vector3d> spread;
    for (const int i : geometry::farthest_point_sampling(chosen, count, 0)) {
      spread.push_back(chosen[static_cast<std::size_t>(i)]);
    }
    chosen = std::move(spread);
  }
  while (static_cast<int>(chosen.size()) < count) {
    Vector3d best = Vector3d::Zero();
    double best_distance = -1.0;
    for (int i = 0; i < kCandidates; ++i) {
      const Vector3d candidate = sampler.draw(random);
      double distance = std::numeric_limits<double>::infinity();
      for (const Vector3d& p : chosen) distance = std::min(distance, (p - candidate).squaredNorm());
      if (distance > best_distance) {
        best_distance = distance;
        best = candidate;
      }
    }
    chosen.push_back(best);
  }
  return chosen;
}

}  // namespace prehend::stability
