#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <prehend/math/angles.h>
#include <prehend/math/progress.h>
#include <prehend/model/body_names.h>
#include <prehend/placement/placement.h>
#include <prehend/placement/planning/assembly_box.h>
#include <prehend/placement/planning/candidate_source.h>
#include <prehend/placement/verify/verifier.h>
#include <prehend/stability/prestress.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;
using Clock = std::chrono::steady_clock;

// Two placements are two when they are this far apart (the design's).
constexpr double kApart = 0.01;                           // [m]
constexpr double kApartAngle = 10.0 * math::kPi / 180.0;  // [rad]

bool are_apart(const math::Pose& a, const math::Pose& b) {
  return (a.p() - b.p()).norm() >= kApart || a.q().angularDistance(b.q()) >= kApartAngle;
}

// Keeps the best of poses that are alike, best first.
void keep(std::vector<Verdict>& kept, const Verdict& verdict) {
  for (const Verdict& other : kept) {
    if (!are_apart(other.placement.X_WO, verdict.placement.X_WO) && other.score >= verdict.score) return;
  }
  std::erase_if(
      kept, [&](const Verdict& other) { return !are_apart(other.placement.X_WO, verdict.placement.X_WO); });
  const auto place = std::find_if(kept.begin(), kept.end(),
                                  [&](const Verdict& other) { return other.score < verdict.score; });
  kept.insert(place, verdict);
}

// Best first; of those that are as good as another, places before mere turns on the spot.
void spread(std::vector<Verdict>& kept) {
  std::stable_sort(kept.begin(), kept.end(),
                   [](const Verdict& a, const Verdict& b) { return a.score > b.score; });
  for (std::size_t i = 1; i < kept.size(); ++i) {
    const double level = kept[i].score - 2e-3 * std::abs(kept[i].score);
    for (std::size_t j = i; j < kept.size() && kept[j].score >= level; ++j) {
      const Vector3d& p = kept[j].placement.X_WO.p();
      if (std::all_of(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const Verdict& v) { return (v.placement.X_WO.p() - p).norm() >= kApart; })) {
        std::rotate(kept.begin() + static_cast<std::ptrdiff_t>(i),
                    kept.begin() + static_cast<std::ptrdiff_t>(j),
                    kept.begin() + static_cast<std::ptrdiff_t>(j) + 1);
        break;
      }
    }
  }
}

// A search ends when nothing is left to try, at the latest when its time is over: that much is known beforehand.
class SearchProgress {
 public:
  SearchProgress(Clock::time_point start, double limit) : start_(start), limit_(limit) {}
  void show() {
    const double share = std::chrono::duration<double>(Clock::now() - start_).count() / limit_;
    const auto now = static_cast<std::size_t>(kSteps * std::clamp(share, 0.0, 1.0));
    progress_.advance(now - std::exchange(shown_, now));
  }

 private:
  static constexpr std::size_t kSteps = 100;
  Clock::time_point start_;
  double limit_;  // [s]
  std::size_t shown_{0};
  math::Progress progress_{"search for placements", kSteps};
};

// Without the object.
stability::ContactSystem rest_of(const Problem& problem) {
  model::Scene rest = problem.scene;
  rest.bodies[problem.object].movable = false;
  rest.bodies[problem.object].geoms.clear();
  return stability::build_contact_system(rest, problem.contacts, {});
}

// What is wrong with the scene before anything is placed; empty: nothing.
std::string check_scene(const Problem& problem, PlacementResult& result) {
  result.status = PlacementStatus::invalid;
  if (!(problem.gravity > 0.0)) return "the scene has no gravity: nothing rests anywhere";
  if (!problem.contacts.problems.empty() &&
      (!problem.contacts.penetrations.empty() || !problem.contacts.floating.empty()))
    return "the scene is not consistent before anything is placed: " + problem.contacts.problems.front();
  const stability::LimitAnalysis limits(rest_of(problem));
  if (limits.stability() == stability::Stability::unstable) {
    result.status = PlacementStatus::unstable;
    return "the scene falls before anything is placed: " +
           model::quoted_names(result.body_names, limits.falling_bodies());
  }
  if (limits.stability() != stability::Stability::stable) return limits.note();
  result.status = PlacementStatus::not_computed;
  return {};
}

void explain_found(bool is_cut_short, PlacementResult& result) {
  result.status = PlacementStatus::ok;
  if (is_cut_short)
    result.problems.push_back("the time limit ended the search: more time may give better placements");
  if (!result.loose.empty())
    result.problems.push_back(
        "left out of the measures, since a push or shake below the margin moves them anyway: " +
        model::quoted_names(result.body_names, result.loose));
}

void explain_none(const Problem& problem, const CandidateSource& source, bool is_out_of_time,
                  PlacementResult& result) {
  result.proof = is_out_of_time ? std::string() : source.proof();
  if (!result.proof.empty()) {
    result.status = PlacementStatus::none;
    result.problems.push_back("there is no placement: " + result.proof);
    return;
  }
  result.status = PlacementStatus::not_found;
  result.problems.push_back(std::string(is_out_of_time ? "the time limit was reached; " : "") +
                            source.tried());
  if (!result.loose.empty() && result.rejected.contains(to_string(Rejection::margin)))
    result.problems.push_back(
        "these move at less than the margin before anything is placed, and so would what is placed on "
        "them: " +
        model::quoted_names(result.body_names, result.loose));
  const stability::ContactSystem rest = rest_of(problem);
  if (result.rejected.contains(to_string(Rejection::jam)) && rest.joint_rows.empty() &&
      stability::needs_prestress(rest))
    result.problems.push_back(
        "the scene itself holds only by internal stress that no load causes: on what is jammed nothing "
        "counts as placed");
}

}  // namespace

PlacementResult place(const model::Scene& scene, model::BodyIndex object, const PlacementOptions& options) {
  const Clock::time_point start = Clock::now();
  Problem problem = prepare(scene, object, options);
  problem.is_out_of_time = [start, limit = options.time_limit] {
    return std::chrono::duration<double>(Clock::now() - start).count() > limit;
  };
  PlacementResult result;
  result.planner = options.planner;
  result.count = options.count;
  result.object_name = problem.body().name;
  result.body_names = model::body_names(scene);
  const std::string wrong = check_scene(problem, result);
  if (!wrong.empty()) {
    result.problems.push_back(wrong);
    return result;
  }
  const Verifier verifier(problem);
  result.loose = verifier.loose_bodies();
  const std::unique_ptr<CandidateSource> source = make_source(problem);
  std::vector<Verdict> kept;
  const bool first_only = options.objective == Objective::first;
  bool is_out_of_time = false;
  SearchProgress progress(start, options.time_limit);
  while (const std::optional<math::Pose> pose = source->next()) {
    progress.show();
    // Where one is asked for, what is no more robust than the best is not followed to the end.
    const bool has_floor = options.objective == Objective::robust && options.count == 1 && !kept.empty();
    const Verdict verdict =
        verifier.check(*pose, !first_only, has_floor ? kept.front().placement.min_sr : -1.0);
    ++result.attempts;
    if (verdict.passed()) {
      if (!verdict.is_outdone) keep(kept, verdict);
    } else {
      ++result.rejected[to_string(verdict.rejection)];
    }
    source->observe(verdict);
    if (first_only && static_cast<int>(kept.size()) >= options.count) break;
    if (problem.is_out_of_time()) break;
  }
  is_out_of_time = problem.is_out_of_time();
  for (const auto& [reason, count] : source->rejected()) {
    result.rejected[reason] += count;
    result.attempts += count;
  }
  spread(kept);
  if (static_cast<int>(kept.size()) > options.count) kept.resize(static_cast<std::size_t>(options.count));
  for (Verdict& verdict : kept) {
    if (!verdict.is_exact) verdict = verifier.check(verdict.placement.X_WO);  // to the last push
  }
  std::erase_if(kept, [](const Verdict& verdict) { return !verdict.passed(); });
  spread(kept);
  for (Verdict& verdict : kept) {
    verifier.guarantee(verdict.placement);
    verdict.placement.volume = assembly_volume(problem, verdict.placement.X_WO);
    result.placements.push_back(std::move(verdict.placement));
  }
  if (result.placements.empty())
    explain_none(problem, *source, is_out_of_time, result);
  else
    explain_found(is_out_of_time && !first_only, result);
  return result;
}

}  // namespace prehend::placement
