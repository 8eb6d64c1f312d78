#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <prehend/math/angles.h>
#include <prehend/math/house/deadline.h>
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

// What the best poses may take beyond the time limit, to be measured to the last push. Most take milliseconds.
constexpr std::chrono::milliseconds kFinishing{800};
// [s] Longer limits are none.
constexpr double kLongest = 1e8;

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
  model::Scene rest = problem.bare;
  rest.bodies[problem.object].movable = false;
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

// Ends work at the time limit; false: it was not done.
template <typename Work>
bool done_by(Clock::time_point end, Work&& work) {
  try {
    const math::Deadline deadline(end);
    work();
    return true;
  } catch (const math::DeadlinePassed&) {
    return false;
  }
}

// What place() knows while it searches.
struct Search {
  const Problem& problem;
  const Verifier& verifier;
  CandidateSource& source;
  std::vector<Verdict> kept;  // best first
  bool is_verifying{false};   // a pose, which the time limit may have ended

  void run(Clock::time_point start, PlacementResult& result);
  void finish(Clock::time_point end, PlacementResult& result);
};

void Search::run(Clock::time_point start, PlacementResult& result) {
  const PlacementOptions& options = problem.options;
  const bool first_only = options.objective == Objective::first;
  SearchProgress progress(start, options.time_limit);
  while (const std::optional<math::Pose> pose = source.next()) {
    progress.show();
    // Where one is asked for, what is no more robust than the best is not followed to the end.
    const bool has_floor = options.objective == Objective::robust && options.count == 1 && !kept.empty();
    is_verifying = true;
    const Verdict verdict =
        verifier.check(*pose, !first_only, has_floor ? kept.front().placement.min_sr : -1.0);
    is_verifying = false;
    ++result.attempts;
    if (verdict.passed()) {
      if (!verdict.is_outdone) keep(kept, verdict);
    } else {
      ++result.rejected[to_string(verdict.rejection)];
    }
    source.observe(verdict);
    if (first_only && static_cast<int>(kept.size()) >= options.count) break;
    if (problem.is_out_of_time()) break;
  }
}

// The best ones, measured to the last push.
void Search::finish(Clock::time_point end, PlacementResult& result) {
  const auto most = static_cast<std::size_t>(problem.options.count);
  spread(kept);
  if (kept.size() > most) kept.resize(most);
  const bool is_measured = done_by(end, [&] {
    for (Verdict& verdict : kept) {
      if (!verdict.is_exact) verdict = verifier.check(verdict.placement.X_WO);
    }
  });
  if (!is_measured)
    result.problems.push_back(
        "the time limit ended the last check: the least robustness was found by following motions, not by "
        "asking every push");
  std::erase_if(kept, [](const Verdict& verdict) { return !verdict.passed(); });
  spread(kept);
  done_by(end, [&] {
    for (Verdict& verdict : kept) verifier.guarantee(verdict.placement);
  });
  for (Verdict& verdict : kept) {
    verdict.placement.volume = assembly_volume(problem, verdict.placement.X_WO);
    result.placements.push_back(std::move(verdict.placement));
  }
}

void explain_none(const Search& search, bool is_out_of_time, PlacementResult& result) {
  result.proof = is_out_of_time ? std::string() : search.source.proof();
  if (!result.proof.empty()) {
    result.status = PlacementStatus::none;
    result.problems.push_back("there is no placement: " + result.proof);
    return;
  }
  result.status = PlacementStatus::not_found;
  const std::string limit = search.is_verifying ? "the time limit was reached while a pose was verified; "
                                                : "the time limit was reached; ";
  result.problems.push_back((is_out_of_time ? limit : "") + search.source.tried());
  if (!result.loose.empty() && result.rejected.contains(to_string(Rejection::margin)))
    result.problems.push_back(
        "these move at less than the margin before anything is placed, and so would what is placed on "
        "them: " +
        model::quoted_names(result.body_names, result.loose));
  if (!result.rejected.contains(to_string(Rejection::jam))) return;
  done_by(Clock::now() + kFinishing, [&] {
    const stability::ContactSystem rest = rest_of(search.problem);
    if (rest.joint_rows.empty() && stability::needs_prestress(rest))
      result.problems.push_back(
          "the scene itself holds only by internal stress that no load causes: on what is jammed nothing "
          "counts as placed");
  });
}

}  // namespace

PlacementResult place(const model::Scene& scene, model::BodyIndex object, const PlacementOptions& options) {
  const Clock::time_point start = Clock::now();
  const Clock::time_point end =
      start + std::chrono::duration_cast<Clock::duration>(
                  std::chrono::duration<double>(std::min(options.time_limit, kLongest)));
  Problem problem = prepare(scene, object, options);
  problem.is_out_of_time = [end] { return Clock::now() > end; };
  PlacementResult result;
  result.planner = options.planner;
  result.count = options.count;
  result.object_name = problem.body().name;
  result.body_names = model::body_names(scene);
  std::string wrong;
  std::optional<Verifier> verifier;
  std::unique_ptr<CandidateSource> source;
  const bool is_ready = done_by(end, [&] {
    wrong = check_scene(problem, result);
    if (!wrong.empty()) return;
    verifier.emplace(problem);
    result.loose = verifier->loose_bodies();
    source = make_source(problem);
  });
  if (!is_ready) {
    result.status = PlacementStatus::not_found;
    wrong = "the time limit was reached while the scene itself was examined: no pose was tried";
  }
  if (!wrong.empty()) {
    result.problems.push_back(wrong);
    return result;
  }
  Search search{problem, *verifier, *source, {}};
  const bool is_complete = done_by(end, [&] { search.run(start, result); });
  const bool is_out_of_time = !is_complete || problem.is_out_of_time();
  for (const auto& [reason, count] : source->rejected()) {
    result.rejected[reason] += count;
    result.attempts += count;
  }
  search.finish(Clock::now() + kFinishing, result);
  if (result.placements.empty())
    explain_none(search, is_out_of_time, result);
  else
    explain_found(is_out_of_time && options.objective != Objective::first, result);
  return result;
}

}  // namespace prehend::placement
