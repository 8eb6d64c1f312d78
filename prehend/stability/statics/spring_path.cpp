#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <prehend/math/interrupt.h>
#include <prehend/stability/statics/spring_path.h>
#include <prehend/stability/statics/spring_search.h>
#include <prehend/stability/statics/spring_tangent.h>

namespace prehend::stability {
namespace {

using Eigen::VectorXd;

// Of weak springs to the ground that keep free motions (a ball that spins) in place; holds nothing that counts.
constexpr double kPathAnchor = 1e-12;

// Displacement w.u under the load alone if contacts could pull and never slipped.
double held_compliance(const SpringSystem& springs, double tangential) {
  const SpringState state = held_state(springs, tangential);
  SpringTangent tangent(springs, 1e-6);
  const std::optional<VectorXd> u = tangent.factor(state) ? tangent.solve(springs.load) : std::nullopt;
  return u ? springs.load.dot(*u) : springs.load.squaredNorm();
}

class LoadRaiser {
 public:
  LoadRaiser(const SpringSystem& springs, const SpringSearchOptions& options, int most_steps)
      : springs_(springs),
        options_(options),
        most_steps_(most_steps),
        law_(springs.mu, options.tangential_ratio),
        tangent_(springs, kPathAnchor),
        damped_(springs, kPathAnchor + kNear) {}

  LoadPath run(const VectorXd& rest, double multiple, double wanted) {
    const double elastic = held_compliance(springs_, options_.tangential_ratio);
    const double sag = springs_.load.lpNorm<1>() * rest.lpNorm<Eigen::Infinity>();
    start_ = springs_.load.dot(rest);
    now_.u = rest;
    now_.multiple = path_.multiple = multiple;
    state_.evaluate(springs_, law_, rest);
    if (!find_tangent()) return path_;
    double growth = elastic * std::min(wanted - multiple, std::max(kFirst, multiple)),
           fallen_at = std::numeric_limits<double>::infinity();
    Place before = now_;
    for (int flat = 0; path_.steps < std::min(kMostSteps, most_steps_);) {
      bool found = false;
      for (int tries = 0; tries < kMostTries && !found; ++tries) {
        const int steps = path_.steps;
        found = advance(growth);
        const bool was_quick = path_.steps - steps <= kQuick;
        if (!found) growth *= 0.25;
        if (found && was_quick && tries == 0)
          growth = flat > 0 ? 9.0 * std::max(growth, travelled(now_)) : 3.0 * growth;
      }
      if (!found || !find_tangent()) return climb(wanted);
      const double c = travelled(now_), largest = std::max(path_.multiple, now_.multiple);
      if (largest >= (1.0 - kFlat) * wanted) return ended(LoadPath::Status::reached, largest);
      const bool is_far = c > kFar * std::max(sag, elastic * largest);
      if (c > kAway * std::max(sag, elastic * largest) && largest < kNothing)
        return ended(LoadPath::Status::saturated, 0.0);
      // y = limit - A / c has A / c = c dy/dc left to go.
      const bool is_flat = largest > 0.0 && std::abs(c / now_.compliance) < kFlat * largest;
      const bool falls =
          now_.multiple < (1.0 - kFlat) * path_.multiple || (now_.compliance < 0.0 && !is_flat);
      path_.multiple = largest;
      if (falls && before.compliance > 0.0) {
        // Past the top, which lies below the tangents on both sides of it.
        if (top_between(before, now_) <= (1.0 + kTop) * largest) {
          // Behind a small top there may be a higher one: over it, if a state with more load is near.
          if (!hop((1.0 + kHop) * largest)) return ended(LoadPath::Status::saturated, largest);
          before = now_;
          fallen_at = std::numeric_limits<double>::infinity();
          growth = 0.1 * travelled(now_);
          continue;
        }
        fallen_at = c;
        growth = 0.3 * (c - travelled(before));
        now_ = before;
        continue;
      }
      flat = is_flat ? flat + 1 : 0;
      if (is_far && flat >= 2) return ended(LoadPath::Status::saturated, largest);
      if (now_.compliance > 0.0) before = now_;
      if (c < fallen_at) growth = std::min(growth, 0.5 * (fallen_at - c));
    }
    return climb(wanted);
  }

 private:
  static constexpr int kMostSteps = 250, kMostClimb = 120, kMostIterations = 25, kMostTries = 6, kQuick = 10,
                       kMostLeaps = 6;
  // [weights of all bodies] The first step is no longer than such a load causes: far loads are reached by factors.
  static constexpr double kFirst = 4.0;
  // [-] Smallest step of a climb, as exact as limits are; [weights of all bodies] the load that steps of smaller ones are counted in, where the
  // displacement leads nowhere from rest.
  static constexpr double kFine = 1e-3, kLittle = 0.05;
  // Added to all stiffnesses in Newton's steps, not in the balance: bodies whose contacts all slip have places that cost nothing (a brick
  // across two that part: its friction on both is equal wherever it is), and a step there is rounding over the anchor. Elastic motions
  // have 1e-3 and more in walls of 200 bricks, and converge as before.
  static constexpr double kNear = 1e-7;
  // [-] The load has this part of itself left to grow.
  static constexpr double kFlat = 2e-4;
  // [-] How far its top may lie above the largest that was met.
  static constexpr double kTop = 5e-4;
  // [-] Step beyond a top: random piles have tops of the path up to 0.3 % below further states, one in fifteen.
  static constexpr double kHop = 2e-3;
  // [-] Displacements in terms of those at rest, and of what the load would cause if nothing slipped or opened: from here on a load may
  // be flat for good. Bodies that slide under others travel far before those hold them (random heaps: up to four times).
  static constexpr double kFar = 10.0;
  // [weights of all bodies] A load so small that moves bodies so far, as kFar, finds nothing but the weak springs to the ground on its way.
  static constexpr double kNothing = 1e-6, kAway = 1e3;
  // [-] of the unbalanced force of the tangent's guess: what a step may leave where none leaves less.
  static constexpr double kLeap = 10.0;

  struct Place {
    VectorXd u;
    double multiple{0.0};
    VectorXd along;          // du/dy
    double compliance{0.0};  // dc/dy
  };

  double travelled(const Place& place) const { return springs_.load.dot(place.u) - start_; }
  LoadPath ended(LoadPath::Status status, double multiple) {
    path_.status = status;
    path_.multiple = multiple;
    return path_;
  }
  double top_between(const Place& before, const Place& after) const {
    const double room = travelled(after) - travelled(before), up = 1.0 / before.compliance;
    const double down = std::min(0.0, 1.0 / after.compliance);
    const double meet = (after.multiple - before.multiple - down * room) / (up - down);
    // They meet before the state before where the curve bends between them: then the first alone counts.
    return before.multiple + up * (meet < 0.0 ? room : std::min(meet, room));
  }
  // Of the present place, whose state was met last.
  bool find_tangent() {
    ++path_.steps;
    const std::optional<VectorXd> along =
        tangent_.factor(state_) ? tangent_.solve(springs_.load) : std::nullopt;
    if (!along) return false;
    now_.along = *along;
    now_.compliance = springs_.load.dot(*along);
    return now_.compliance != 0.0;
  }
  VectorXd rest_of(const SpringState& state, const VectorXd& u, double multiple) const {
    return state.pull + springs_.weights + multiple * springs_.load - kPathAnchor * u;
  }

  // To a state near the present one with that load.
  bool hop(double multiple) {
    VectorXd u = now_.u;
    SpringState &state = tried_, &trial = next_;
    state.evaluate(springs_, law_, u);
    VectorXd rest = rest_of(state, u, multiple);
    for (int i = 0; i < kMostIterations; ++i) {
      if (spring_imbalance(springs_, state, multiple) <= 0.5 * options_.tolerance) {
        now_.u = u;
        now_.multiple = multiple;
        std::swap(state_, state);
        path_.multiple = multiple;
        return find_tangent();
      }
      math::check_interrupt();
      ++path_.steps;
      const std::optional<VectorXd> step = damped_.factor(state) ? damped_.solve(rest) : std::nullopt;
      if (!step) return false;
      if (!shorten(*step, 0.0, trial, u, multiple, rest)) {
        ++path_.steps;
        const SpringState secant = secant_of(state, u);
        const std::optional<VectorXd> slide = damped_.factor(secant) ? damped_.solve(rest) : std::nullopt;
        if (!slide || !shorten(*slide, 0.0, trial, u, multiple, rest)) return false;
      }
      std::swap(state, trial);
    }
    return false;
  }

  // Where the displacement leads no further: from the last state by loads, in steps that shrink until they are as small as the limit
  // is to be exact.
  LoadPath climb(double wanted) {
    const int most = std::min(path_.steps + kMostClimb, most_steps_);
    for (double step = 16.0 * kFine; step >= kFine && path_.steps < most;) {
      const double next = std::min(wanted, path_.multiple + step * std::max(path_.multiple, kLittle));
      if (!hop(next)) {
        step *= 0.25;
        continue;
      }
      if (next >= wanted) return ended(LoadPath::Status::reached, next);
      step = std::min(0.1, 2.0 * step);
    }
    if (path_.steps >= most_steps_) return ended(LoadPath::Status::unfinished, path_.multiple);
    if (!(path_.multiple > 0.0)) return path_;
    path_.u = now_.u;
    return ended(LoadPath::Status::stalled, path_.multiple);
  }

  // As much of a step as lowers the unbalanced force; false where none of it does.
  bool shorten(const VectorXd& du, double more, SpringState& trial, VectorXd& u, double& multiple,
               VectorXd& rest) const {
    constexpr double kShortest = 0.02;
    for (double length = 1.0; length > kShortest; length *= 0.5) {
      const VectorXd next_u = u + length * du;
      trial.evaluate(springs_, law_, next_u);
      const VectorXd next = rest_of(trial, next_u, multiple + length * more);
      if (!((next - kNear * length * du).norm() <= (1.0 - 1e-2 * length) * rest.norm())) continue;
      u = next_u;
      multiple += length * more;
      rest = next;
      return true;
    }
    return false;
  }

  // With the stiffness that slipping contacts would need to reach their friction from nothing: Newton's own is zero along the slip, and says
  // nothing about where a body that slides comes to rest.
  SpringState secant_of(const SpringState& state, const VectorXd& u) const {
    SpringState out = state;
    for (int k = 0; k < springs_.size(); ++k) {
      const double t = springs_.displacement(k, u).head<2>().norm();
      if (!(t > 0.0)) continue;
      out.stiffness[static_cast<std::size_t>(k)].topLeftCorner<2, 2>() =
          state.forces.segment<2>(3 * k).norm() / t * Eigen::Matrix2d::Identity();
    }
    for (Eigen::Index j = 0; j < out.joint_stiffness.size(); ++j) {
      const double q = std::abs(springs_.joints[static_cast<std::size_t>(j)].displacement(u));
      if (out.joint_stiffness[j] == 0.0 && q > 0.0)
        out.joint_stiffness[j] = std::abs(state.forces[3 * springs_.size() + j]) / q;
    }
    return out;
  }
  // To the state whose displacement under the load is larger by `growth`.
  bool advance(double growth) {
    VectorXd u = now_.u + growth / now_.compliance * now_.along;
    double multiple = now_.multiple + growth / now_.compliance;
    const double place = springs_.load.dot(now_.u) + growth;
    SpringState &state = tried_, &trial = next_;
    state.evaluate(springs_, law_, u);
    VectorXd rest = rest_of(state, u, multiple);
    const double first = rest.norm();
    int leaps_left = kMostLeaps;
    for (int i = 0; i < kMostIterations; ++i) {
      if (spring_imbalance(springs_, state, multiple) <= 0.5 * options_.tolerance) {
        now_.u = u;
        now_.multiple = multiple;
        std::swap(state_, state);
        return true;
      }
      math::check_interrupt();
      ++path_.steps;
      if (!damped_.factor(state)) return false;
      const std::optional<VectorXd> step = damped_.solve(rest), pull = damped_.solve(springs_.load);
      if (!step || !pull) return false;
      const double more =
          (place - springs_.load.dot(u) - springs_.load.dot(*step)) / springs_.load.dot(*pull);
      const VectorXd du = *step + more * *pull;
      if (!du.allFinite()) return false;
      const bool descends = shorten(du, more, trial, u, multiple, rest);
      if (!descends) {
        // Between two pieces of the law the unbalanced force may have to grow before it vanishes.
        if (leaps_left-- == 0) return false;
        u += du;
        multiple += more;
        trial.evaluate(springs_, law_, u);
        rest = rest_of(trial, u, multiple);
        if (!(rest.norm() <= kLeap * first)) return false;
      }
      std::swap(state, trial);
    }
    return false;
  }

  const SpringSystem& springs_;
  const SpringSearchOptions& options_;
  const int most_steps_;
  const CoulombLaw law_;
  SpringTangent tangent_, damped_;
  Place now_;
  SpringState state_, tried_, next_;  // of the present place, and of those on the way from it
  double start_{0.0};
  LoadPath path_;
};

}  // namespace

LoadPath raise_load(const SpringSystem& springs, const SpringSearchOptions& options, const VectorXd& state,
                    double multiple, double wanted, int most_steps) {
  return LoadRaiser(springs, options, most_steps).run(state, multiple, wanted);
}

}  // namespace prehend::stability
