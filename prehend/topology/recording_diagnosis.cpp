#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>
#include <prehend/topology/evidence/balance.h>
#include <prehend/topology/recording_diagnosis.h>

namespace prehend::topology {
namespace {

using math::number_text;

std::string quoted(const ArticulatedObject& object, int link) {
  return "'" + object.links[static_cast<std::size_t>(link)].name + "'";
}

double balance_of(const ArticulatedObject& object, const Recording& recording, const RecordingNoise& noise) {
  return total_balance(balance_links(object, recording, average_blocks(object, recording), noise));
}

// [m] [rad] rms of a link's motion about its mean.
std::pair<double, double> motion_of(const std::vector<math::Pose>& X) {
  Eigen::Vector3d p = Eigen::Vector3d::Zero(), w = Eigen::Vector3d::Zero();
  std::vector<Eigen::Vector3d> turns;
  for (const math::Pose& pose : X) {
    p += pose.p() / static_cast<double>(X.size());
    turns.push_back(math::log_so3((X[0].q().conjugate() * pose.q()).normalized()));
    w += turns.back() / static_cast<double>(X.size());
  }
  double position = 0.0, angle = 0.0;
  for (std::size_t k = 0; k < X.size(); ++k) {
    position += (X[k].p() - p).squaredNorm() / 3.0;
    angle += (turns[k] - w).squaredNorm() / 3.0;
  }
  const double n = static_cast<double>(X.size());
  return {std::sqrt(position / n), std::sqrt(angle / n)};
}

// Noise alone spreads a still link by its own deviation; half as much again is no motion. [m] [rad] The floors are far below
// what a tracker resolves.
bool stands_still(const std::vector<math::Pose>& X, const RecordingNoise& noise) {
  const auto [position, angle] = motion_of(X);
  return position < std::max(1.5 * noise.pose.position, 2e-5) &&
         angle < std::max(1.5 * noise.pose.angle, 2e-5);
}

void find_times(const Recording& recording, const DiagnosisOptions& options, std::vector<Finding>& findings) {
  std::vector<double> steps;
  for (std::size_t k = 1; k < recording.rows(); ++k) steps.push_back(recording.t[k] - recording.t[k - 1]);
  std::vector<double> sorted = steps;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                   sorted.end());
  const double usual = sorted[sorted.size() / 2];
  std::size_t jumps = 0, first = 0, uneven = 0;
  double longest = 0.0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (steps[k] > std::max(options.jump * usual, BlockOptions{}.shortest_gap)) {
      if (jumps++ == 0) first = k;
      longest = std::max(longest, steps[k]);
    } else if (std::abs(steps[k] - usual) > 0.2 * usual) {
      ++uneven;
    }
  }
  if (jumps > 0) {
    findings.push_back(
        {FindingKind::time_jump, false,
         "time jumps " + (jumps == 1 ? std::string("once") : std::to_string(jumps) + " times") +
             ", first after row " + std::to_string(first + 1) + " at " + number_text(recording.t[first]) +
             " s, by up to " + number_text(longest) + " s where rows are usually " + number_text(usual) +
             " s apart; nothing is concluded across the gaps"});
  }
  if (static_cast<double>(uneven) > options.unequal_share * static_cast<double>(steps.size())) {
    findings.push_back({FindingKind::unequal_rate, false,
                        "rows come at unequal rates: " + std::to_string(uneven) + " of " +
                            std::to_string(steps.size()) +
                            " steps are off by more than a fifth of the usual " + number_text(usual) +
                            " s; they are balanced by their times"});
  }
}

// Whether most rows stand in short runs of equal values, as of a slower sensor. One long run is something at rest.
template <class Value>
bool repeats(const std::vector<Value>& rows) {
  constexpr std::size_t kLongest = 50;  // rows: a sensor at 20 Hz beside rows at 1 kHz
  std::size_t in_runs = 0, runs = 0, first = 0;
  for (std::size_t k = 1; k <= rows.size(); ++k) {
    if (k < rows.size() && rows[k] == rows[first]) continue;
    const std::size_t length = k - first;
    if (length > 1 && length <= kLongest) {
      in_runs += length;
      ++runs;
    }
    first = k;
  }
  return 2 * in_runs > rows.size() && runs > 5;
}

void find_held_values(const ArticulatedObject& object, const Recording& recording,
                      std::vector<Finding>& findings) {
  const auto say = [&](const std::string& what, int link) {
    findings.push_back(
        {FindingKind::unequal_rate, false,
         "the " + what + " link " + quoted(object, link) +
             " comes at a lower rate than the rows: most of its values repeat the row before"});
  };
  for (std::size_t i = 0; i < recording.X_WL.size(); ++i) {
    std::vector<Eigen::Vector3d> p;
    for (const math::Pose& X : recording.X_WL[i]) p.push_back(X.p());
    if (repeats(p)) say("pose of", static_cast<int>(i));
  }
  for (const HeldLink& held : recording.held) {
    std::vector<Eigen::Vector3d> f;
    for (const math::Wrench& F : held.F_L) f.push_back(F.force);
    if (repeats(f)) say("wrench on", held.link);
  }
}

// How much better another reading is, as a factor on the size of the gap.
std::string times_better(double recorded, double other) {
  return number_text(std::sqrt(recorded / std::max(other, 1e-12)), 3) + " times better";
}

// "the sensors read constant wrenches of their own (1.2 N and 0.03 N m on link 'a'): without them everything balances "
std::string offset_sentence(const ArticulatedObject& object, const Recording& recording, const BalanceVariant& variant) {
  std::string hands;
  for (std::size_t h = 0; h < variant.offsets.size(); ++h)
    hands += (h == 0 ? "" : ", ") + number_text(variant.offsets[h].force.norm(), 2) + " N and " +
             number_text(variant.offsets[h].moment.norm(), 2) + " N m on link " + quoted(object, recording.held[h].link);
  return "the sensors read constant wrenches of their own (" + hands + "): without them everything balances ";
}

struct Explanation {
  Finding finding;
  double balance{0.0};
};

Explanation explain(const ArticulatedObject& object, const Recording& recording,
                    const BalanceVariant& variant, double recorded) {
  const std::string better = times_better(recorded, variant.balance);
  const std::string link = variant.link >= 0 ? quoted(object, variant.link) : std::string();
  const std::string stated = "(" + number_text(recording.gravity_W.x()) + ", " +
                             number_text(recording.gravity_W.y()) + ", " +
                             number_text(recording.gravity_W.z()) + ") m/s^2";
  Explanation made{{}, variant.balance};
  Finding& finding = made.finding;
  switch (variant.reading) {
    case Reading::opposite_sign:
      finding = {FindingKind::wrench_sign, true,
                 "the wrench on link " + link +
                     " has the wrong sign: with the opposite one everything balances " + better +
                     "; it must be what the hand exerts on the object"};
      break;
    case Reading::all_opposite_sign:
      finding = {FindingKind::wrench_sign, true,
                 "the wrenches have the wrong sign: with the opposite one everything balances " + better +
                     "; they must be what the hands exert on the object"};
      break;
    case Reading::world_axes:
      finding = {FindingKind::wrench_frame, true,
                 "the wrench on link " + link +
                     " is in the wrong frame: taken in the world's axes, about the link's origin, everything "
                     "balances " +
                     better + "; it must be in the link's own axes"};
      break;
    case Reading::all_world_axes:
      finding = {FindingKind::wrench_frame, true,
                 "the wrenches are in the wrong frame: taken in the world's axes, about the links' origins, everything balances " +
                     better + "; they must be in the links' own axes"};
      break;
    case Reading::other_gravity:
      finding = {FindingKind::gravity, true,
                 "gravity " + stated + " has the wrong direction: with (" + number_text(variant.force_W.x()) + ", " +
                     number_text(variant.force_W.y()) + ", " + number_text(variant.force_W.z()) +
                     ") m/s^2 everything balances " + better + "; state it with --gravity"};
      break;
    case Reading::sensor_offset:
      finding = {FindingKind::sensor_offset, true, offset_sentence(object, recording, variant) + better +
                                                       "; zero the sensors without the object, or take the offsets out"};
      break;
    case Reading::no_gravity:
      finding = {FindingKind::gravity, true,
                 "there is no gravity in this recording, but " + stated +
                     " is stated: without it everything balances " + better +
                     "; say so with --gravity 0 0 0"};
      break;
    case Reading::opposite_gravity:
      finding = {
          FindingKind::gravity, true,
          "gravity " + stated + " has the wrong sign: with the opposite one everything balances " + better};
      break;
    case Reading::gravity_missing:
      finding = {FindingKind::gravity, true,
                 "gravity is missing: with (0, 0, -9.81) m/s^2 everything balances " + better +
                     " than with none; state it with --gravity"};
      break;
    case Reading::mass_scaled:
      finding = {FindingKind::link_inertia, true,
                 "the inertia of link " + link + " is wrong: with " + number_text(variant.scale, 3) +
                     " times its mass and inertia everything balances " + better};
      break;
    case Reading::further_force:
      finding = {FindingKind::further_force, true,
                 "something else touches the object: a further force of " +
                     number_text(variant.force_W.norm(), 3) + " N on link " + link +
                     " makes everything balance " + better};
      break;
    case Reading::as_recorded:
      break;
  }
  return made;
}

bool has_fitted_numbers(Reading reading) {
  return reading == Reading::mass_scaled || reading == Reading::further_force || reading == Reading::sensor_offset;
}

double best_of_fewer(const std::vector<BalanceVariant>& variants) {
  double best = std::numeric_limits<double>::infinity();
  for (const BalanceVariant& variant : variants)
    if (variant.reading != Reading::as_recorded && variant.reading != Reading::sensor_offset)
      best = std::min(best, variant.balance);
  return best;
}

// Two links exchanged, or all reversed; hands stay on their link of the object, or go with the poses.
Explanation best_order(const ArticulatedObject& object, const Recording& recording,
                       const RecordingNoise& noise, double recorded) {
  const int links = static_cast<int>(object.links.size());
  Explanation best{{}, std::numeric_limits<double>::infinity()};
  const auto read_as = [&](const std::vector<int>& order, const std::string& what) {
    for (const bool hands_follow : {false, true}) {
      math::check_interrupt();
      Recording other = recording;
      for (int i = 0; i < links; ++i)
        other.X_WL[static_cast<std::size_t>(i)] =
            recording.X_WL[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
      if (hands_follow)
        for (HeldLink& held : other.held)
          held.link = static_cast<int>(std::find(order.begin(), order.end(), held.link) - order.begin());
      const double balance = balance_of(object, other, noise);
      if (!(balance < best.balance)) continue;
      best.balance = balance;
      best.finding = {FindingKind::link_order, true,
                      "the links are in the wrong order: " + what + " everything balances " +
                          times_better(recorded, balance) + "; links must come as in the object's file"};
    }
  };
  std::vector<int> order(static_cast<std::size_t>(links));
  for (int i = 0; i < links; ++i) order[static_cast<std::size_t>(i)] = links - 1 - i;
  if (links > 2) read_as(order, "with all links reversed");
  for (int a = 0; a < links; ++a) {
    for (int b = a + 1; b < links; ++b) {
      for (int i = 0; i < links; ++i) order[static_cast<std::size_t>(i)] = i;
      std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
      read_as(order, "with " + quoted(object, a) + " and " + quoted(object, b) + " exchanged");
    }
  }
  return best;
}

void find_balance(const ArticulatedObject& object, const Recording& recording, const RecordingNoise& noise,
                  const DiagnosisOptions& options, RecordingDiagnosis& diagnosis) {
  if (diagnosis.balance < options.bad_balance) return;
  const double recorded = diagnosis.balance, enough = recorded / options.far_better;
  Explanation plain{{}, std::numeric_limits<double>::infinity()}, fitted = plain;
  const std::vector<BalanceVariant> variants = balance_variants(object, recording, &noise);
  for (const BalanceVariant& variant : variants) {
    if (variant.reading == Reading::as_recorded) continue;
    // Twelve numbers follow much: they must explain it all, and twice as well as what has fewer.
    if (variant.reading == Reading::sensor_offset &&
        !(variant.balance < options.bad_balance && 2.0 * variant.balance < best_of_fewer(variants)))
      continue;
    Explanation& best = has_fitted_numbers(variant.reading) ? fitted : plain;
    if (variant.balance < best.balance) best = explain(object, recording, variant, recorded);
  }
  Explanation order = best_order(object, recording, noise, recorded);
  if (order.balance < plain.balance) plain = std::move(order);
  bool base_is_recorded = false;
  for (const HeldLink& held : recording.held) base_is_recorded |= held.link == 0;
  // A free base under unbalanced wrenches would move: this explains more than any other reading.
  if (!base_is_recorded && stands_still(recording.X_WL[0], noise)) {
    diagnosis.findings.push_back({FindingKind::base_is_held, true,
                                  "the wrenches do not carry the object, and its first link " +
                                      quoted(object, 0) +
                                      " stands still: something that is not recorded holds it; say so with "
                                      "--base fixed"});
    return;
  }
  // A reading with numbers of its own fits a little better for no reason: it must be clearly ahead.
  if (plain.balance < enough &&
      (plain.balance < options.bad_balance || plain.balance < 4.0 * fitted.balance)) {
    diagnosis.findings.push_back(std::move(plain.finding));
  } else if (fitted.balance < enough) {
    diagnosis.findings.push_back(std::move(fitted.finding));
  } else {
    diagnosis.findings.push_back({FindingKind::no_balance, true,
                                  "the total wrench and the rate of the total momentum differ by " +
                                      number_text(std::sqrt(recorded), 3) +
                                      " times what noise explains, and neither signs, frames, gravity, the "
                                      "order of the links nor one wrong inertia "
                                      "explain it"});
  }
}

}  // namespace

void DiagnosisOptions::validate() const {
  const math::OptionCheck check("DiagnosisOptions");
  check.above("bad_balance", bad_balance, 1.0);
  check.above("far_better", far_better, 1.0);
  check.above("jump", jump, 1.0);
  check.above("unequal_share", unequal_share, 0.0);
  check.holds(unequal_share < 1.0, "unequal_share", number_text(unequal_share), "below 1");
}

const char* to_string(FindingKind kind) { return enum_text(kind); }

bool RecordingDiagnosis::blocks() const {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.blocks; });
}

std::vector<std::string> RecordingDiagnosis::sentences() const {
  std::vector<std::string> all;
  for (const Finding& finding : findings) all.push_back(finding.sentence);
  return all;
}

RecordingDiagnosis diagnose_recording(const ArticulatedObject& object, const Recording& recording,
                                      const RecordingNoise* given, const DiagnosisOptions& options) {
  options.validate();
  validate(object, recording);
  const RecordingNoise noise = given != nullptr ? *given : measure_noise(recording);
  RecordingDiagnosis diagnosis;
  if (recording.is_complete()) diagnosis.balance = balance_of(object, recording, noise);
  find_balance(object, recording, noise, options, diagnosis);
  const bool rests = std::all_of(recording.X_WL.begin(), recording.X_WL.end(),
                                 [&](const auto& X) { return stands_still(X, noise); });
  if (rests)
    diagnosis.findings.push_back(
        {FindingKind::at_rest, true,
         "nothing moves in this recording: no link leaves its place by more than the noise, so "
         "no joint can be identified"});
  find_times(recording, options, diagnosis.findings);
  find_held_values(object, recording, diagnosis.findings);
  return diagnosis;
}

}  // namespace prehend::topology
