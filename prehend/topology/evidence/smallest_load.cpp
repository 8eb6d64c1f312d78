#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/random.h>
#include <prehend/topology/evidence/smallest_load.h>

namespace prehend::topology {
namespace {

using math::Vector6d;

constexpr int kDirections = 200;   // of a half sphere: 6 degrees apart
constexpr int kReweightings = 8;   // towards the smallest maximum
constexpr int kRefinements = 150;  // random steps of shrinking size from each of the best starts
// [m/rad] 0.6 m per turn: steeper screws are not made, and load after load would leave one of them.
constexpr double kSteepest = 0.1;
constexpr int kStarts = 4;  // the best directions are refined: loads have few separate minima

Eigen::Vector3d direction_of(int k) {
  const double z = (k + 0.5) / kDirections, angle = k * math::kPi * (3.0 - std::sqrt(5.0));
  const double r = std::sqrt(1.0 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

class Loads {
 public:
  Loads(const TransmittedWrench& wrench, const Eigen::Vector3d& centre, double reach,
        const FrictionBounds& friction)
      : centre_(centre), reach_(reach) {
    if (friction.torque > 0.0) holds_more_ = friction.force / friction.torque;
    for (std::size_t k = 0; k < wrench.F_P.size(); ++k) {
      const Eigen::Vector3d f = wrench.F_P[k].tail<3>();
      f_.push_back(f);
      m_.push_back(wrench.F_P[k].head<3>() - centre.cross(f));
      force_noise_.push_back(3.0 * std::sqrt(wrench.covariance[k].bottomRightCorner<3, 3>().trace() / 3.0));
      const math::Matrix6d& C = wrench.covariance[k];
      torque_noise_.push_back(3.0 * std::sqrt(C.topLeftCorner<3, 3>().trace() / 3.0));
    }
  }

  double along(const Eigen::Vector3d& d) const {
    double most = 0.0;
    for (std::size_t k = 0; k < f_.size(); ++k)
      most = std::max(most, std::abs(d.dot(f_[k])) - force_noise_[k]);
    return most;
  }
  // Point relative to the centre.
  double about(const Eigen::Vector3d& a, const Eigen::Vector3d& p) const {
    double most = 0.0;
    for (std::size_t k = 0; k < f_.size(); ++k)
      most = std::max(most, std::abs(a.dot(m_[k] - p.cross(f_[k]))) - torque_noise_[k]);
    return most;
  }
  // The same of a screw.
  double about(const Eigen::Vector3d& a, const Eigen::Vector3d& p, double pitch) const {
    double most = 0.0;
    for (std::size_t k = 0; k < f_.size(); ++k)
      most = std::max(most, std::abs(a.dot(m_[k] - p.cross(f_[k]) + pitch * f_[k])) - torque_noise_[k] -
                                std::abs(pitch) * force_noise_[k]);
    return most / (1.0 + holds_more_ * std::abs(pitch));
  }
  // Where an axis of that direction carries least: least squares, reweighted towards the largest residuals.
  // With `pitch`, that is sought as well.
  Eigen::Vector3d best_point(const Eigen::Vector3d& a, double* pitch = nullptr) const {
    const Eigen::Vector3d u = a.unitOrthogonal(), v = a.cross(u);
    std::vector<double> weight(f_.size(), 1.0);
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    for (int round = 0; round < kReweightings; ++round) {
      Eigen::Matrix3d N = Eigen::Matrix3d::Zero();
      Eigen::Vector3d g = Eigen::Vector3d::Zero();
      for (std::size_t k = 0; k < f_.size(); ++k) {
        const Eigen::Vector3d c = f_[k].cross(a);  // a . (p x f) = p . (f x a)
        const Eigen::Vector3d row(c.dot(u), c.dot(v), pitch != nullptr ? -a.dot(f_[k]) : 0.0);
        N += weight[k] * row * row.transpose();
        g += weight[k] * row * a.dot(m_[k]);
      }
      N.diagonal().array() += 1e-9 * N.trace() + 1e-300;
      x = N.ldlt().solve(g);
      if (x.head<2>().norm() > reach_) x.head<2>() *= reach_ / x.head<2>().norm();
      x[2] = std::clamp(x[2], -kSteepest, kSteepest);
      double sum = 0.0;
      for (std::size_t k = 0; k < f_.size(); ++k) {
        const Eigen::Vector3d p = x[0] * u + x[1] * v;
        weight[k] *= std::abs(a.dot(m_[k] - p.cross(f_[k]) + x[2] * f_[k]));
        sum += weight[k];
      }
      if (!(sum > 0.0)) break;
      for (double& w : weight) w /= sum;
    }
    if (pitch != nullptr) *pitch = x[2];
    return x[0] * u + x[1] * v;
  }
  Eigen::Vector3d within_reach(const Eigen::Vector3d& p) const {
    return p.norm() > reach_ ? Eigen::Vector3d(p * (reach_ / p.norm())) : p;
  }
  const Eigen::Vector3d& centre() const { return centre_; }
  double reach() const { return reach_; }

 private:
  std::vector<Eigen::Vector3d> f_, m_;  // moments about the centre
  std::vector<double> force_noise_, torque_noise_;
  Eigen::Vector3d centre_;
  double reach_;
  double holds_more_{0.0};  // [rad/m] friction of a slide against that of a hinge
};

struct Line {
  double load;
  Eigen::Vector3d a, p;
  double pitch{0.0};
};

template <class Evaluate>
Line refined(Line line, double reach, math::RandomStream& random, const Evaluate& evaluate,
             int refinements = kRefinements) {
  double step = 0.1;
  for (int k = 0; k < refinements; ++k) {
    Line other{0.0, (line.a + step * random.normal3()).normalized(),
               line.p + step * reach * random.normal3()};
    evaluate(other);
    if (other.load < line.load)
      line = other;
    else
      step *= refinements == kRefinements ? 0.96 : 0.9;
  }
  return line;
}

// Point and pitch follow from the direction, so fewer steps lead as far.
Line least_screw(const Loads& loads, const Line& turn) {
  constexpr int kScrewRefinements = 50;
  const auto evaluate = [&](Line& line) {
    line.p = loads.best_point(line.a, &line.pitch);
    line.load = loads.about(line.a, line.p, line.pitch);
  };
  std::vector<Line> screws;
  for (int k = 0; k < kDirections; ++k) {
    math::check_interrupt();
    screws.push_back({0.0, direction_of(k), Eigen::Vector3d::Zero()});
    evaluate(screws.back());
  }
  std::partial_sort(screws.begin(), screws.begin() + kStarts, screws.end(),
                    [](const Line& a, const Line& b) { return a.load < b.load; });
  math::RandomStream random(1);
  Line best = turn;
  for (int k = 0; k < kStarts; ++k) {
    const Line screw = refined(screws[static_cast<std::size_t>(k)], 0.0, random, evaluate, kScrewRefinements);
    if (screw.load < best.load) best = screw;
  }
  return best;
}

}  // namespace

SmallestLoad smallest_load(const TransmittedWrench& wrench, const Eigen::Vector3d& centre_P, double reach,
                           const FrictionBounds& friction) {
  SmallestLoad out;
  if (wrench.F_P.empty()) return out;
  const Loads loads(wrench, centre_P, reach, friction);
  std::vector<Line> slides, turns;
  for (int k = 0; k < kDirections; ++k) {
    math::check_interrupt();
    const Eigen::Vector3d d = direction_of(k);
    slides.push_back({loads.along(d), d, Eigen::Vector3d::Zero()});
    const Eigen::Vector3d p = loads.best_point(d);
    turns.push_back({loads.about(d, p), d, p});
  }
  const auto order = [](const Line& a, const Line& b) { return a.load < b.load; };
  std::partial_sort(slides.begin(), slides.begin() + kStarts, slides.end(), order);
  std::partial_sort(turns.begin(), turns.begin() + kStarts, turns.end(), order);
  Line slide = slides.front(), turn = turns.front();
  math::RandomStream random(0);
  for (int k = 0; k < kStarts; ++k) {
    const Line s = refined(slides[static_cast<std::size_t>(k)], 0.0, random,
                           [&](Line& line) { line.load = loads.along(line.a); });
    if (s.load < slide.load) slide = s;
    const Line t = refined(turns[static_cast<std::size_t>(k)], reach, random, [&](Line& line) {
      line.p = loads.within_reach(line.p);
      line.load = loads.about(line.a, line.p);
    });
    if (t.load < turn.load) turn = t;
  }
  // A hinge is a screw without pitch.
  const Line screw = turn.load > friction.torque ? least_screw(loads, turn) : turn;
  out.force = slide.load;
  out.direction_P = slide.a;
  out.torque = turn.load;
  out.axis_P = turn.a;
  out.point_P = turn.p + centre_P;
  out.screw = screw.load;
  out.screw_axis_P = screw.a;
  out.screw_point_P = screw.p + centre_P;
  out.screw_pitch = screw.pitch;
  return out;
}

SmallestLoad least_rms_load(const TransmittedWrench& wrench) {
  SmallestLoad out;
  if (wrench.size() == 0) return out;
  math::Matrix6d M = math::Matrix6d::Zero(), C = math::Matrix6d::Zero();
  for (std::size_t k = 0; k < wrench.size(); ++k) {
    M += wrench.F_P[k] * wrench.F_P[k].transpose();
    C += wrench.covariance[k];
  }
  M = (M - C) / static_cast<double>(wrench.size());
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> slides(Eigen::Matrix3d(M.bottomRightCorner<3, 3>()));
  out.force = std::sqrt(std::max(0.0, slides.eigenvalues()[0]));
  out.direction_P = slides.eigenvectors().col(0);
  // Moments about the point that suits each axis best: what forces do not explain of them.
  Eigen::Matrix3d ff = M.bottomRightCorner<3, 3>();
  ff.diagonal().array() += 1e-9 * ff.trace() + 1e-300;
  const Eigen::Matrix3d A = ff.ldlt().solve(Eigen::Matrix3d(M.bottomLeftCorner<3, 3>()));  // m = A^T f + rest
  const Eigen::Matrix3d rest = M.topLeftCorner<3, 3>() - M.topRightCorner<3, 3>() * A;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> turns(0.5 * (rest + rest.transpose()));
  out.torque = std::sqrt(std::max(0.0, turns.eigenvalues()[0]));
  out.axis_P = turns.eigenvectors().col(0);
  out.point_P = -out.axis_P.cross(A * out.axis_P);  // a . (p x f) = f . (a x p): p across the axis
  out.screw = out.torque;
  out.screw_axis_P = out.axis_P;
  out.screw_point_P = out.point_P;
  return out;
}

}  // namespace prehend::topology
