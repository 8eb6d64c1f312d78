#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/math/progress.h>
#include <prehend/math/so3.h>
#include <prehend/observation/contact_trajectory.h>
#include <prehend/observation/polyhedron_contacts.h>
#include <prehend/observation/relations/placed_pair.h>
#include <prehend/observation/sequence/between.h>
#include <prehend/observation/sequence/doubts.h>
#include <prehend/observation/sequence/recognition.h>
#include <prehend/observation/sequence/source_pipeline.h>
#include <prehend/observation/watch.h>

namespace prehend::observation {
namespace {

void add_new(std::vector<Eigen::Vector3d>& items, const Eigen::Vector3d& item, double tolerance) {
  for (const Eigen::Vector3d& known : items)
    if ((known - item).norm() <= tolerance) return;
  items.push_back(item);
}

// The relation at its example pose, with its freedoms; `problem` where bodies overlap in a point.
WatchedState make_state(const BodyPair& pair, const Relation& relation, std::string& problem) {
  WatchedState state;
  problem.clear();
  state.X_FM = relation.X_FM;
  if (!relation.contacts.empty()) {
    PolyhedronContacts found = find_contacts(pair.moving(), relation.X_FM, pair.fixed(), math::Pose());
    state.relation = std::move(found.relation);
    if (!found.problems.empty()) problem = found.problems[0];
  }
  for (const PrincipalContact& features : relation.contacts) {
    WatchedContact contact{features, {}, {}};
    for (const Contact& point : state.relation.contacts) {
      bool is_on = false;
      for (const Eigen::Vector3d& p : point.points_W) {
        if (!pair.is_on(p, features, relation.X_FM, 2.0 * pair.touch_tolerance())) continue;
        add_new(contact.points_F, p, pair.touch_tolerance());
        is_on = true;
      }
      if (!is_on) continue;
      for (const Eigen::Vector3d& normal : point.normals_W)
        if (point.is_singular() == features.is_singular()) add_new(contact.normals_F, normal, 1e-4);
    }
    state.contacts.push_back(std::move(contact));
  }
  try {
    state.freedom = motion_freedom(state.relation);
  } catch (const std::runtime_error& error) {
    // A pose at which planes are dependent to the last digit: another frame of the state may tell.
    state.freedom.status = FreedomStatus::undetermined;
    state.freedom.note = error.what();
  }
  return state;
}

// Runs of frames under one relation, with the relation passed where two do not lie one inside the other.
class StateBuilder {
 public:
  StateBuilder(const BodyPair& pair, const Recording& recording, const Recognised& recognised,
               Watched& result)
      : pair_(pair), recording_(recording), recognised_(recognised), result_(result) {}

  void run() {
    const std::vector<int>& path = recognised_.path.relations;
    for (std::size_t begin = 0; begin < path.size();) {
      std::size_t end = begin;
      while (end + 1 < path.size() && path[end + 1] == path[begin]) ++end;
      math::check_interrupt();
      if (begin > 0) insert_between(begin);
      add_run(begin, end);
      begin = end + 1;
    }
  }

 private:
  const FrameFit& fit(std::size_t frame) const { return recognised_.chosen[frame]; }
  // With the pose of the nearest frame of the run whose tracker did not go astray.
  Relation relation_at(std::size_t frame) const {
    const std::vector<int>& path = recognised_.path.relations;
    Relation relation = recognised_.table.relations[static_cast<std::size_t>(path[frame])];
    for (std::size_t step = 0; step < path.size(); ++step) {
      const std::size_t before = frame - std::min(step, frame),
                        after = std::min(frame + step, path.size() - 1);
      for (const std::size_t i : {before, after}) {
        if (path[i] != path[frame] || !fit(i).is_possible) continue;
        relation.X_FM = fit(i).X_FM;
        return relation;
      }
    }
    return relation;
  }

  void insert_between(std::size_t frame) {
    const std::size_t a = static_cast<std::size_t>(recognised_.path.relations[frame - 1]),
                      b = static_cast<std::size_t>(recognised_.path.relations[frame]);
    if (recognised_.table.is_inside[a][b] || recognised_.table.is_inside[b][a]) return;
    const Relation before = relation_at(frame - 1), after = relation_at(frame);
    const auto found = relation_between(pair_, before, after, recognised_.correction);
    const Relation relation = found ? *found : common_relation(pair_, before, after, recognised_.correction);
    std::string problem;
    WatchedState state = make_state(pair_, relation, problem);
    if (!problem.empty()) result_.notes.push_back(problem);
    state.inferred = true;
    state.t0_s = recording_.t_s[frame - 1];
    state.t1_s = recording_.t_s[frame];
    result_.states.push_back(std::move(state));
  }

  // From the frame nearest to the middle that shows the relation, no more, and whose freedoms can be counted.
  WatchedState typical_state(std::size_t begin, std::size_t end) const {
    const std::size_t middle = (begin + end) / 2;
    Relation relation = relation_at(middle);
    std::string problem;
    WatchedState first = make_state(pair_, relation, problem);
    std::string first_problem = problem;
    const auto is_good = [&](const WatchedState& state) {
      return problem.empty() && state.freedom.status == FreedomStatus::ok;
    };
    // [frames] Each costs a search of contacts, and the first mostly serves.
    constexpr std::size_t kMostTried = 40;
    for (std::size_t step = 0, tried = 0; step <= end - begin && tried < kMostTried; ++step) {
      for (const std::size_t i : {middle + step, middle - std::min(step, middle)}) {
        math::check_interrupt();
        if (i < begin || i > end || recognised_.table.is_lost[i] || !fit(i).is_possible) continue;
        if (pair_.contacts_at(fit(i).X_FM, pair_.touch_tolerance()) != relation.contacts) continue;
        relation.X_FM = fit(i).X_FM;
        WatchedState state = make_state(pair_, relation, problem);
        if (is_good(state)) return state;
        ++tried;
      }
    }
    if (!first_problem.empty()) result_.notes.push_back(first_problem);
    return first;
  }

  void add_run(std::size_t begin, std::size_t end) {
    WatchedState state = typical_state(begin, end);
    state.t0_s = recording_.t_s[begin];
    state.t1_s = recording_.t_s[end];
    state.first_frame = static_cast<int>(begin);
    state.last_frame = static_cast<int>(end);
    for (std::size_t i = begin; i <= end; ++i) {
      WatchedFrame frame;
      frame.t_s = recording_.t_s[i];
      frame.state = static_cast<int>(result_.states.size());
      frame.X_FM_seen = recording_.X_FM[i];
      frame.X_FM = fit(i).is_possible ? fit(i).X_FM : frame.X_FM_seen;
      frame.status = CorrectionStatus::ok;
      if (recognised_.table.is_lost[i]) frame.status = CorrectionStatus::overlapping;
      if (!fit(i).is_possible) frame.status = CorrectionStatus::astray;
      frame.moved_m = (frame.X_FM * recognised_.correction.reference_M -
                       frame.X_FM_seen * recognised_.correction.reference_M)
                          .norm();
      frame.turned_rad = math::log_so3(frame.X_FM.q() * frame.X_FM_seen.q().conjugate()).norm();
      result_.frames.push_back(frame);
    }
    result_.states.push_back(std::move(state));
  }

  const BodyPair& pair_;
  const Recording& recording_;
  const Recognised& recognised_;
  Watched& result_;
};

void add_transitions(Watched& result) {
  for (std::size_t i = 0; i + 1 < result.states.size(); ++i) {
    WatchedTransition transition;
    transition.from = static_cast<int>(i);
    transition.to = static_cast<int>(i + 1);
    transition.skills = transition_between(result.states[i].freedom, result.states[i + 1].freedom);
    if (transition.skills.critical) result.critical.push_back(static_cast<int>(i));
    result.transitions.push_back(std::move(transition));
  }
}

// Between each two states: from where the first was left, or was taken, to the second.
void add_trajectories(const BodyPair& pair, int count, Watched& result) {
  math::Progress progress("trajectories", result.states.size());
  for (std::size_t i = 0; i + 1 < result.states.size(); ++i) {
    progress.advance();
    const auto pose = [&](const WatchedState& state, int frame) {
      return state.inferred || frame < 0 ? state.X_FM : result.frames[static_cast<std::size_t>(frame)].X_FM;
    };
    const WatchedState &a = result.states[i], &b = result.states[i + 1];
    const ContactTrajectory path = plan_trajectory(pair, {a.features(), pose(a, a.last_frame)},
                                                   {b.features(), pose(b, b.first_frame)}, count);
    result.trajectories.push_back({static_cast<int>(i), static_cast<int>(i + 1), path.X_FM, path.note});
  }
}

// [m] Things that a hand assembles are smaller; meshes in millimetres are a thousand times too large. Or larger: meshes in metres that were scaled.
constexpr double kHuge = 10.0, kTiny = 3e-3;

// A sentence where many frames overlap and no relation near explains them. Turns of huge bodies, within the noise, explain any overlap: there it counts itself.
std::string deep_overlap(const BodyPair& pair, const Recording& recording, const Recognised& recognised,
                         bool noise_was_given) {
  // Where the tracker went astray, an overlap says nothing about the meshes.
  std::vector<char> is_lost =
      pair.size() > kHuge ? recognised.table.is_overlapping : recognised.table.is_lost;
  for (std::size_t i = 0; i < is_lost.size(); ++i) is_lost[i] = is_lost[i] && !recognised.table.is_astray[i];
  const std::size_t lost = static_cast<std::size_t>(std::count(is_lost.begin(), is_lost.end(), 1));
  // Single frames that a tracker got wrong are left out; a tenth of the recording is no such thing.
  if (10 * lost <= is_lost.size()) return "";
  const std::size_t worst =
      static_cast<std::size_t>(std::find(is_lost.begin(), is_lost.end(), 1) - is_lost.begin());
  const std::string frames =
      lost == recording.X_FM.size()
          ? "all along"
          : "in " + std::to_string(lost) + " of " + std::to_string(recording.X_FM.size()) + " frames";
  return "the bodies overlap " + frames + " (first at t = " + math::number_text(recording.t_s[worst]) +
         " s) by more than the noise explains; the moving body measures " +
         math::number_text(pair.moving().size()) + " m, the fixed one " +
         math::number_text(pair.fixed().size()) +
         " m: if the meshes are in millimetres, give --mesh-scale 0.001" +
         (noise_was_given ? "; if the noise that was given is too small, leave --noise out" : "");
}

// Why bodies may never touch although a person put them together: a unit of length.
void add_unit_note(const BodyPair& pair, const Recording& recording, Watched& result) {
  if (pair.size() > kHuge || pair.size() < kTiny) {
    result.notes.push_back(
        "the bodies never touch, and measure " + math::number_text(pair.moving().size()) + " and " +
        math::number_text(pair.fixed().size()) + " m: if the meshes are in " +
        (pair.size() > kHuge ? "millimetres, give --mesh-scale 0.001" : "metres, leave --mesh-scale out"));
    return;
  }
  // [of their sizes together] No demonstration of an assembly stays as far apart.
  constexpr double kFarApart = 10.0;
  double nearest = 1e300;
  for (const math::Pose& X : recording.X_FM)
    nearest = std::min(nearest,
                       (X * pair.features().moving.box.center() - pair.features().fixed.box.center()).norm());
  const double sizes = pair.moving().size() + pair.fixed().size();
  if (nearest > kFarApart * sizes)
    result.notes.push_back("the middles of the bodies come no nearer to each other than " +
                           math::number_text(nearest) + " m, and measure " +
                           math::number_text(pair.moving().size()) + " and " +
                           math::number_text(pair.fixed().size()) +
                           " m: positions must be in metres, and meshes in metres or with --mesh-scale");
}

// Where one body alone is of a size that nothing assembled has: a sentence, empty otherwise.
std::string mixed_units(const BodyPair& pair) {
  // A screw of 5 mm is put to a shelf of a metre; a mesh in the other unit is a thousand times too large or too small.
  constexpr double kFarApart = 250.0;
  const double moving = pair.moving().size(), fixed = pair.fixed().size();
  const double larger = std::max(moving, fixed), smaller = std::min(moving, fixed);
  if (larger < kFarApart * smaller || (larger <= kHuge && smaller >= kTiny)) return "";
  return "the moving body measures " + math::number_text(moving) + " m, the fixed one " +
         math::number_text(fixed) +
         " m: if one mesh alone is in millimetres, convert it, for --mesh-scale serves both";
}

// Noise that was not taken as given, or not estimated.
void add_noise_notes(const WatchOptions& options, Watched& result) {
  constexpr std::size_t kTells = 8;  // [frames] for third differences
  if (!options.noise) {
    if (result.frames.size() < kTells)
      result.notes.push_back(std::to_string(result.frames.size()) +
                             " frames do not show the noise: it was assumed; give --noise");
    return;
  }
  const double most =
      std::max(options.noise->position / result.noise.position, options.noise->angle / result.noise.angle);
  if (most > 1.01)
    result.notes.push_back(
        "the noise that was given is larger than a tracker's that shows contacts: it was limited");
}

// The states are those of the least motion; the poses by another correction.
void correct_frames(const BodyPair& pair, CorrectionMethod method, const CorrectionOptions& correction,
                    Watched& result) {
  CorrectionOptions options = correction;
  options.method = method;
  int failed = 0;
  math::Progress progress("correction of the frames", result.frames.size());
  for (WatchedFrame& frame : result.frames) {
    progress.advance();
    const PrincipalContacts contacts = result.states[static_cast<std::size_t>(frame.state)].features();
    if (contacts.empty() || frame.status == CorrectionStatus::astray) continue;
    const Correction corrected = correct_pose(pair, contacts, frame.X_FM_seen, options);
    frame.status = corrected.status;
    frame.moved_m = corrected.moved_m;
    frame.turned_rad = corrected.turned_rad;
    frame.X_FM = corrected.X_FM;
    if (corrected.status == CorrectionStatus::ok) continue;
    ++failed;
    frame.X_FM = frame.X_FM_seen;
    frame.moved_m = frame.turned_rad = 0.0;
  }
  if (failed > 0)
    result.notes.push_back(std::to_string(failed) + " frames were not corrected by " + to_string(method) +
                           ": they stand as seen");
}

void watch_as_source(const BodyPair& pair, const Recording& recording, const WatchOptions& options,
                     Watched& result) {
  CorrectionOptions correction;
  correction.reference_M = reference_point(pair);
  // 5 mm for the recorded peg of 118 mm.
  const double threshold = options.threshold > 0.0 ? options.threshold : 0.0425 * pair.size();
  const SourceResult source = source_pipeline(pair, recording.X_FM, threshold, correction);
  for (const SourceRun& run : source.runs) {
    std::string problem;
    WatchedState state = make_state(pair, make_relation(pair, run.contacts, run.X_FM), problem);
    state.t0_s = recording.t_s[run.first];
    state.t1_s = recording.t_s[run.last];
    state.first_frame = static_cast<int>(run.first);
    state.last_frame = static_cast<int>(run.last);
    if (!problem.empty()) result.notes.push_back(problem);
    result.states.push_back(std::move(state));
  }
  for (std::size_t i = 0; i < source.frames.size(); ++i) {
    WatchedFrame frame;
    frame.t_s = recording.t_s[i];
    frame.state = source.frames[i].run;
    frame.X_FM_seen = recording.X_FM[i];
    frame.X_FM = source.frames[i].X_FM;
    frame.status = source.frames[i].status;
    frame.moved_m = (frame.X_FM * correction.reference_M - frame.X_FM_seen * correction.reference_M).norm();
    frame.turned_rad = math::log_so3(frame.X_FM.q() * frame.X_FM_seen.q().conjugate()).norm();
    result.frames.push_back(frame);
  }
  result.notes.push_back("the source's pipeline: features closer than " + math::number_text(threshold) +
                         " m touch; " + std::to_string(source.lost) + " frames were not corrected, " +
                         std::to_string(source.dropped) +
                         " dropped because no practical transition leads to them");
}

// Relations that some frame speaks for and the sequence does not have.
void add_rejected(const Recording& recording, const Recognised& recognised, Watched& result) {
  const RelationTable& table = recognised.table;
  for (std::size_t k = 1; k < table.relations.size(); ++k) {
    const std::vector<int>& path = recognised.path.relations;
    if (std::find(path.begin(), path.end(), static_cast<int>(k)) != path.end()) continue;
    RejectedRelation rejected{table.relations[k].contacts, "", -1e300, 0.0};
    for (std::size_t i = 0; i < path.size(); ++i) {
      const std::size_t chosen = static_cast<std::size_t>(path[i]);
      if (!table.fits[i][k].is_possible) continue;
      const double score =
          frame_score(table, i, k, recognised.prices) - frame_score(table, i, chosen, recognised.prices);
      if (score <= rejected.best_score) continue;
      rejected.best_score = score;
      rejected.t_s = recording.t_s[i];
    }
    if (rejected.best_score < -1e200) {
      rejected.reason = "in no frame without overlap and inside its faces";
      rejected.best_score = 0.0;
    } else if (rejected.best_score <= 0.0) {
      rejected.reason = "in no frame does it explain more than the chosen relation";
    } else {
      rejected.reason = "explains single frames better, not the sequence";
    }
    result.rejected.push_back(std::move(rejected));
  }
}

std::optional<NoiseAxes> axes_of(const Recognised& recognised) {
  if (recognised.directions_W.is_even) return std::nullopt;
  const auto scaled = [](const Eigen::Matrix3d& root, double noise) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(root);
    std::vector<Eigen::Vector3d> found;
    for (int k = 2; k >= 0; --k) found.push_back(noise * axes.eigenvalues()[k] * axes.eigenvectors().col(k));
    return found;
  };
  return NoiseAxes{scaled(recognised.directions_W.position, recognised.noise.position),
                   scaled(recognised.directions_W.angle, recognised.noise.angle)};
}

// Observed states are runs of frames, in their order.
void add_doubts(const DoubtedPath& doubted, Watched& result) {
  std::size_t run = 0;
  for (WatchedState& state : result.states) {
    if (state.inferred) continue;
    state.margin = doubted.margin[run++];
    for (const Doubt& doubt : doubted.doubts)
      if (!doubt.is_whole && static_cast<int>(doubt.first) == state.first_frame) state.doubt = doubt.reason;
  }
  for (const Doubt& doubt : doubted.doubts)
    if (doubt.is_whole) result.doubts.push_back(doubt.reason);
  result.status = doubted.doubts.empty() ? WatchStatus::ok : WatchStatus::doubtful;
}

}  // namespace

PrincipalContacts WatchedState::features() const {
  PrincipalContacts all;
  for (const WatchedContact& contact : contacts) all.push_back(contact.features);
  return all;
}

const char* to_string(WatchMethod method) { return enum_text(method); }
const char* to_string(WatchStatus status) { return enum_text(status); }

void WatchOptions::validate() const {
  const math::OptionCheck check("WatchOptions");
  if (noise) {
    check.at_least("noise.position", noise->position, 0.0, "m");
    check.at_least("noise.angle", noise->angle, 0.0, "rad");
  }
  check.holds(plan == 0 || plan >= 2, "plan", std::to_string(plan),
              "0 (none) or at least 2, both ends included");
  check.at_least("threshold", threshold, 0.0, "m");
}

Watched watch(const BodyPair& pair, const Recording& recording, const WatchOptions& options) {
  options.validate();
  Watched result;
  result.method = options.method;
  result.noise_was_given = options.noise.has_value();
  result.notes = recording.notes;
  if (options.method == WatchMethod::source) {
    watch_as_source(pair, recording, options, result);
    add_transitions(result);
    result.status = WatchStatus::ok;
    return result;
  }
  const Recognised recognised = recognise(pair, recording, options.noise ? &*options.noise : nullptr);
  result.noise = recognised.noise;
  result.noise_axes = axes_of(recognised);
  const std::string overlap = deep_overlap(pair, recording, recognised, options.noise.has_value());
  if (!overlap.empty()) {
    result.status = WatchStatus::overlapping;
    result.reason = overlap;
    return result;
  }
  if (const auto lost = std::count(recognised.table.is_lost.begin(), recognised.table.is_lost.end(), 1);
      lost > 0)
    result.notes.push_back(std::to_string(lost) +
                           " frames say nothing: the bodies overlap there by more than the noise explains");
  StateBuilder(pair, recording, recognised, result).run();
  result.offset = recognised.offset;
  add_doubts(doubts_of(pair, recording.X_FM, recognised), result);
  if (const std::string mixed = mixed_units(pair); !mixed.empty()) {
    result.doubts.push_back(mixed);
    result.status = WatchStatus::doubtful;
  }
  if (const auto astray =
          std::count_if(result.frames.begin(), result.frames.end(),
                        [](const WatchedFrame& frame) { return frame.status == CorrectionStatus::astray; });
      astray > 0)
    result.notes.push_back(
        std::to_string(astray) +
        " frames say nothing: the tracker went astray there, off the line of the frames before and after");
  if (options.method == WatchMethod::newton)
    correct_frames(pair, CorrectionMethod::newton, recognised.correction, result);
  if (options.method == WatchMethod::linear)
    correct_frames(pair, CorrectionMethod::linear, recognised.correction, result);
  add_transitions(result);
  add_rejected(recording, recognised, result);
  if (options.plan > 0) add_trajectories(pair, options.plan, result);
  if (result.states.size() == 1 && result.states[0].contacts.empty()) add_unit_note(pair, recording, result);
  add_noise_notes(options, result);
  return result;
}

}  // namespace prehend::observation
