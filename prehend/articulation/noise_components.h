// Variances of position and orientation from residuals, by scoring on the restricted likelihood.
//
// A frame's residual splits into the rotation a (variance r per axis) and the displacement c of the point that divides the
// two origins by the fixed part's share s (variance p along the line D between the origins, p + s (1 - s) |D|^2 r across it,
// see likelihood_engine.h). What fitted states take away is the leverage t of each component: E[a^2] = (3 - t_a) r and so
// on. Without a share both variances are plain quotients, found in one step.
#pragma once

#include <algorithm>
#include <cmath>

namespace prehend::articulation {

struct NoiseComponents {
  double gp{0}, gr{0}, ipp{0}, ipr{0}, irr{0};  // score and information of (p, r)

  void add_rotation(double w, double squared, double freedoms, double r) {
    gr += w * (squared / r - freedoms) / r;
    irr += w * freedoms / (r * r);
  }
  void add_along(double w, double squared, double freedoms, double p) {
    gp += w * (squared / p - freedoms) / p;
    ipp += w * freedoms / (p * p);
  }
  // v = p + slope r
  void add_across(double w, double squared, double freedoms, double v, double slope) {
    const double g = w * (squared / v - freedoms) / v, i = w * freedoms / (v * v);
    gp += g;
    gr += slope * g;
    ipp += i;
    ipr += slope * i;
    irr += slope * slope * i;
  }
  // Moves both variances; a step never goes beyond a factor of eight, a component without information stays.
  void step(double& p, double& r) const {
    const double determinant = ipp * irr - ipr * ipr;
    double dp = 0, dr = 0;
    if (determinant > 1e-9 * ipp * irr) {
      dp = (irr * gp - ipr * gr) / determinant;
      dr = (ipp * gr - ipr * gp) / determinant;
    } else if (ipp * p * p >= irr * r * r && ipp > 0) {
      dp = gp / ipp;
    } else if (irr > 0) {
      dr = gr / irr;
    }
    p = std::clamp(p + dp, p / 8, p * 8);
    r = std::clamp(r + dr, r / 8, r * 8);
  }
};

}  // namespace prehend::articulation
