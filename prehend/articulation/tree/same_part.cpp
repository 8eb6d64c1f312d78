#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/tree/same_part.h>
#include <prehend/math/angles.h>
#include <prehend/math/so3.h>
#include <prehend/model/input_error.h>

namespace prehend::articulation {

std::vector<std::vector<int>> same_part_indices(const std::vector<std::string>& parts,
                                                const std::vector<std::vector<std::string>>& same_part) {
  std::vector<std::vector<int>> result;
  std::vector<bool> listed(parts.size(), false);
  for (const std::vector<std::string>& names : same_part) {
    if (names.size() < 2)
      throw std::invalid_argument("markers of one part must be two or more; there is " +
                                  (names.empty() ? "none" : "'" + names.front() + "' alone"));
    result.emplace_back();
    for (const std::string& one : names) {
      const auto at = std::ranges::find(parts, one);
      if (at == parts.end()) {
        std::string known;
        for (const std::string& other : parts) known += (known.empty() ? "'" : ", '") + other + "'";
        throw std::invalid_argument("no part '" + one + "' in the poses; there are " + known);
      }
      const auto index = static_cast<std::size_t>(at - parts.begin());
      if (listed[index]) throw std::invalid_argument("'" + one + "' is named twice as a marker of a part");
      listed[index] = true;
      result.back().push_back(static_cast<int>(index));
    }
  }
  return result;
}

void check_same_part(const PartTracks& tracks, const std::vector<int>& markers, const std::string& name) {
  // Slow errors of trackers, as in SelectionOptions::slow_noise, and what noise that is new in every frame does not exceed.
  constexpr double kSlowPosition = 0.005, kSlowAngle = 2 * math::kPi / 180, kOfFresh = 3.0;  // [m, rad, -]
  const auto refuse = [&](int other, const std::string& why) {
    throw model::InputError(name, 0,
                            "'" + tracks.parts[markers.front()].name + "' and '" + tracks.parts[other].name +
                                "' are named as markers of one part, but " + why);
  };
  for (std::size_t k = 1; k < markers.size(); ++k) {
    const Observations seen = relative_poses(tracks, markers.front(), markers[k], 1);
    if (seen.poses.size() < 2) {
      // The others may connect the two.
      const bool connected = std::ranges::any_of(markers, [&](int other) {
        return other != markers[k] && relative_poses(tracks, other, markers[k], 1).poses.size() >= 2;
      });
      if (!connected) refuse(markers[k], "are never seen together");
      continue;
    }
    Moments sums;
    for (const Observation& one : seen.poses) {
      sums.R += one.X_FM.R();
      sums.p += one.X_FM.p();
      sums.weight += 1;
    }
    const Eigen::Quaterniond mean(mean_rotation(sums));
    double position2 = 0, angle2 = 0, fresh_position2 = 0, fresh_angle2 = 0;
    const double n = static_cast<double>(seen.poses.size());
    for (std::size_t i = 0; i < seen.poses.size(); ++i) {
      const math::Pose& X = seen.poses[i].X_FM;
      position2 += (X.p() - sums.mean_p()).squaredNorm() / (3 * n);
      angle2 += math::log_so3(mean.conjugate() * X.q()).squaredNorm() / (3 * n);
      if (i == 0) continue;
      const math::Pose& before = seen.poses[i - 1].X_FM;
      fresh_position2 += (X.p() - before.p()).squaredNorm() / (6 * (n - 1));
      fresh_angle2 += math::log_so3(before.q().conjugate() * X.q()).squaredNorm() / (6 * (n - 1));
    }
    const auto is_much = [&](double all2, double fresh2, double slow) {
      return all2 > slow * slow && all2 > kOfFresh * kOfFresh * fresh2;
    };
    if (!is_much(position2, fresh_position2, kSlowPosition) && !is_much(angle2, fresh_angle2, kSlowAngle))
      continue;
    char why[120];
    std::snprintf(why, sizeof why, "move against each other by %.3g mm and %.3g deg per axis",
                  1e3 * std::sqrt(position2), math::degrees(std::sqrt(angle2)));
    refuse(markers[k], why);
  }
}

}  // namespace prehend::articulation
