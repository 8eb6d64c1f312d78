// Variances of position and orientation from residuals, by scoring on the restricted likelihood.
//
// A frame's residual splits into the rotation a (variance r per axis) and the displacement c of the point that divides the
// two origins by the fixed part's share s (variance p along the line D between the origins, p + s (1 - s) |D|^2 r across it,
// see likelihood_engine.h). What fitted states take away is the leverage t of each component: E[a^2] = (3 - t_a) r and so
// on. Without a share both variances are plain quotients, found in one step.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace prehend::articulation {

template <class T>
struct NoiseComponents {
  T gp{0.0}, gr{0.0}, ipp{0.0}, ipr{0.0}, irr{0.0};  // score and information of (p, r)

  // Variances come as their inverses.
  void add_rotation(const T& w, const T& squared, const T& freedoms, const T& i_r) {
    gr += w * (squared * i_r - freedoms) * i_r;
    irr += w * freedoms * (i_r * i_r);
  }
  void add_along(const T& w, const T& squared, const T& freedoms, const T& i_p) {
    gp += w * (squared * i_p - freedoms) * i_p;
    ipp += w * freedoms * (i_p * i_p);
  }
  // i_v = 1 / (p + slope r)
  void add_across(const T& w, const T& squared, const T& freedoms, const T& i_v, const T& slope) {
    const T g = w * (squared * i_v - freedoms) * i_v, i = w * freedoms * (i_v * i_v);
    gp += g;
    gr += slope * g;
    ipp += i;
    ipr += slope * i;
    irr += slope * slope * i;
  }
  static constexpr double kLongest = 8.0;
  // Moves both variances; a step never goes beyond a factor of eight, and further down only where it ends above nothing. A component without
  // information stays.
  void step(double& p, double& r) const
    requires std::is_same_v<T, double>
  {
    const double determinant = ipp * irr - ipr * ipr;
    double dp = 0, dr = 0;
    // Times the variance squared, information is the number of residuals that tell it: what rounding leaves of states that take all is none.
    constexpr double kLeastResiduals = 0.5;
    const bool tells_p = ipp * p * p > kLeastResiduals, tells_r = irr * r * r > kLeastResiduals;
    if (!tells_p || !tells_r) {
      if (tells_p) dp = gp / ipp;
      if (tells_r) dr = gr / irr;
    } else if (determinant > 1e-9 * ipp * irr) {
      dp = (irr * gp - ipr * gr) / determinant;
      dr = (ipp * gr - ipr * gp) / determinant;
    } else if (ipp * p * p >= irr * r * r && ipp > 0) {
      dp = gp / ipp;
    } else if (irr > 0) {
      dr = gr / irr;
    }
    constexpr double kFarthestDown = 1e4;
    const auto moved = [](double v, double dv) {
      return v + dv > 0 ? std::clamp(v + dv, v / kFarthestDown, v * kLongest) : v / kLongest;
    };
    p = moved(p, dp);
    r = moved(r, dr);
  }
};

// Steps of a variance that shrink by the same factor each time (where states take most of what tells it) are summed to their limit. Steps
// that were cut short tell nothing about one.
class GeometricSteps {
 public:
  void lengthen(double from, double& to) {
    const double step = std::log(to / from), ratio = last_ != 0 ? step / last_ : 0.0;
    const bool cut = std::abs(step) > 0.99 * std::log(NoiseComponents<double>::kLongest);
    const bool geometric = !cut && ratio > 0.3 && ratio < 1;
    if (geometric) to = from * std::exp(step / (1 - std::min(ratio, 0.9)));
    last_ = geometric ? 0.0 : step;
  }

 private:
  double last_{0};
};

}  // namespace prehend::articulation
