#include <algorithm>
#include <cmath>

#include <time.h>

#include <prehend/assist/trial.h>
#include <prehend/assist/world/trial_world.h>
#include <prehend/math/number_text.h>
#include <prehend/math/progress.h>

namespace prehend::assist {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kAfterStop = 2.0;     // [s] the trial goes on after rest and clearance
constexpr double kLongestStop = 10.0;  // [s] a stop that is not over by then ends the trial all the same
constexpr double kTouching = 0.05;     // [N]
constexpr double kClear = 2.0;         // [N]
// [rad/s], [m/s], [rad/s] Slower than this is standing: breath and encoders.
constexpr double kJointRest = 0.02, kBaseRest = 0.005, kTurnRest = 0.01;

// [us] processor time of this thread.
double thread_us() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

class TrialRun {
 public:
  TrialRun(const Scenario& scenario, const TrialOptions& options)
      : scenario_(scenario),
        options_(options),
        world_(scenario),
        controller_(scenario, observer_for(scenario)) {
    result_.scenario_file = scenario.file;
    result_.notes = world_.notes();
    for (const ContactSpec& spec : scenario.contacts) {
      ContactResult contact;
      contact.name = spec.name, contact.hand = spec.hand, contact.region = to_string(spec.region),
      contact.limit_N = spec.limit_N;
      result_.contacts.push_back(contact);
      result_.trace.contacts.push_back(spec.name);
    }
    name_columns();
    for (const Capsule& part : world_.person().parts()) result_.person_radii.push_back(part.radius);
  }

  TrialResult run() {
    const double period = controller_.period_s();
    // By the longest that it may last.
    math::Progress progress("trial", static_cast<std::size_t>(std::max(1.0, scenario_.duration_s / period)));
    while (world_.time() < scenario_.duration_s) {
      tick();
      if (is_over()) break;
      double lasts = period;
      const double delay = world_.overrun_s();
      if (delay > period) {
        lasts = period * std::ceil(delay / period - 1e-9);
        ++result_.ticks.overruns;
      }
      world_.run(command_, delay, lasts);
      record();
      progress.advance();
    }
    finish();
    return std::move(result_);
  }

 private:
  void name_columns() {
    auto& names = result_.trace.columns;
    names = {"t",      "state",    "contact", "qp",      "tick_us", "base_x",
             "base_y", "base_yaw", "base_vx", "base_vy", "base_wz"};
    for (int j = 0; j < controller_.joint_count(); ++j)
      for (const char* what : {"q_", "v_", "tau_"})
        names.push_back(what + std::string(controller_.joint_name(j)));
    for (const char* name : {"seen", "e_x", "e_y", "e_yaw", "head_x", "head_y", "head_z", "head_u", "head_v",
                             "tablet_angle", "person_x", "person_y", "person_yaw"})
      names.push_back(name);
    for (const ContactSpec& spec : scenario_.contacts)
      for (const char* what : {"f_", "fx_", "fy_", "fz_", "px_", "py_", "pz_", "r_", "rf_"})
        names.push_back(what + spec.name);
    for (const char* name : {"f_other", "push_N", "d_self"}) names.push_back(name);
  }

  void tick() {
    const Sensors sensors = world_.sense();
    controller_.make_infeasible(world_.is_active(FaultKind::qp_infeasible));
    const std::uint64_t before = options_.allocations ? options_.allocations() : 0;
    const double start = thread_us();
    const Command& command = controller_.tick(sensors);
    const double used = thread_us() - start;
    const std::uint64_t after = options_.allocations ? options_.allocations() : 0;
    if (result_.ticks.count++ >= 10) {
      times_.push_back(used);
      allocations_ += after - before;
    }
    tick_us_ = used;
    note(command);
    command_ = command;
    seen_ = sensors.person.has_value();
    world_.react(command_);
    world_.update_faults(command_, result_.faults);
  }

  void note(const Command& command) {
    const double t = world_.time();
    const bool is_new =
        command.state != command_.state || command.contact != command_.contact || command.ended.has_value();
    if (is_new && !result_.trace.rows.empty()) {
      close_state(command_.state, command_.contact, t, command.ended.value_or(StateEnd::done));
      state_at_ = t;
    }
    for (std::size_t c = 0; c < result_.contacts.size(); ++c)
      if (command.touching[c] && !result_.contacts[c].detected_s) result_.contacts[c].detected_s = t;
    if (!command.say.empty()) result_.said.push_back({t, std::string(command.say)});
    if (!command.show.empty()) result_.shown.push_back({t, std::string(command.show)});
    if (command.stop && !result_.stop) result_.stop = StopResult{*command.stop, t, {}, {}};
    result_.ticks.rows = std::max(result_.ticks.rows, controller_.rows());
  }

  void close_state(StateName state, int contact, double t, StateEnd end) {
    result_.states.push_back({state,
                              contact >= 0 ? scenario_.contacts[static_cast<std::size_t>(contact)].name : "",
                              state_at_, t, end});
  }

  // After the tick's physics: the truth at its end, forces over all of it.
  void record() {
    TraceRow row;
    row.t = world_.time(), row.state = command_.state, row.contact = command_.contact, row.qp = command_.qp,
    row.tick_us = tick_us_;
    auto& out = row.values;
    const RobotState& truth = world_.truth();
    for (int i = 0; i < 3; ++i) out.push_back(truth.q()[i]);
    for (int i = 0; i < 3; ++i) out.push_back(truth.v()[i]);
    for (int j = 0; j < controller_.joint_count(); ++j) {
      const int i = j + kBaseFreedoms;
      out.insert(out.end(), {truth.q()[i], truth.v()[i], world_.torque()[i]});
    }
    const SimulatedPerson& person = world_.person();
    out.push_back(seen_ ? 1.0 : 0.0);
    const Eigen::Vector3d e = world_.navigation_error();
    const bool navigates = command_.state == StateName::NavigateToHuman;
    for (int i = 0; i < 3; ++i) out.push_back(navigates ? e[i] : kNone);
    const Eigen::Vector3d head = person.head(), head_C = world_.camera().inverse() * head,
                          to_tablet = (world_.tablet() - head).normalized();
    out.insert(out.end(), {head.x(), head.y(), head.z()});
    const bool is_ahead = head_C.z() > 0.05;
    out.push_back(is_ahead ? head_C.x() / head_C.z() : kNone);
    out.push_back(is_ahead ? head_C.y() / head_C.z() : kNone);
    out.push_back(std::acos(std::clamp(person.face().dot(to_tablet), -1.0, 1.0)));
    out.insert(out.end(), {person.pelvis().x(), person.pelvis().y(), person.yaw()});
    for (std::size_t c = 0; c < result_.contacts.size(); ++c) {
      const ContactTruth& contact = world_.contacts()[c];
      out.push_back(contact.f);
      for (int i = 0; i < 3; ++i) out.push_back(contact.force_W[i]);
      for (int i = 0; i < 3; ++i) out.push_back(contact.touches ? contact.point_W[i] : kNone);
      out.push_back(command_.residual[c]);
      out.push_back(command_.filtered[c]);
    }
    const double self = world_.self_distance();
    out.insert(out.end(), {world_.other_N(), world_.push_N(), self});
    result_.base_speed_mps = std::max(result_.base_speed_mps, std::hypot(truth.v()[0], truth.v()[1]));
    result_.base_turn_radps = std::max(result_.base_turn_radps, std::abs(truth.v()[2]));
    result_.other_contact_N = std::max(result_.other_contact_N, world_.other_N());
    result_.self_distance_m = std::min(result_.self_distance_m, self);
    result_.trace.rows.push_back(std::move(row));
    if (result_.trace.rows.size() % 4 == 1) picture();
  }

  void picture() {
    TrialPicture picture;
    picture.t = world_.time();
    const RobotState& truth = world_.truth();
    for (int s = 0; s <= controller_.joint_count(); ++s)
      picture.segments.emplace_back(truth.R(s), truth.p(s));
    for (const Capsule& part : world_.person().parts())
      picture.person_ends.push_back(part.a), picture.person_ends.push_back(part.b);
    result_.pictures.push_back(std::move(picture));
  }

  bool is_standing(const TraceRow& row) const {
    if (std::hypot(row.values[3], row.values[4]) > kBaseRest || std::abs(row.values[5]) > kTurnRest)
      return false;
    for (int j = 0; j < controller_.joint_count(); ++j)
      if (std::abs(row.values[static_cast<std::size_t>(6 + 3 * j + 1)]) > kJointRest) return false;
    return true;
  }

  double force_on_person(const TraceRow& row) const {
    double most = row.values[row.values.size() - 3];
    const std::size_t first = static_cast<std::size_t>(6 + 3 * controller_.joint_count() + 13);
    for (std::size_t c = 0; c < result_.contacts.size(); ++c)
      most = std::max(most, row.values[first + 9 * c]);
    return most;
  }

  bool is_over() {
    if (command_.outcome == TrialOutcome::completed || command_.outcome == TrialOutcome::declined)
      return true;
    if (!result_.stop) return false;
    const double t = world_.time();
    if (t - result_.stop->at_s > kLongestStop) return true;
    measure_stop();
    return result_.stop->rest_s && result_.stop->clear_s &&
           t - std::max(*result_.stop->rest_s, *result_.stop->clear_s) >= kAfterStop;
  }

  // From the end backwards: since when does everything stand, and nothing press.
  void measure_stop() {
    StopResult& stop = *result_.stop;
    stop.rest_s.reset(), stop.clear_s.reset();
    bool stands = true, is_clear = true;
    const auto& rows = result_.trace.rows;
    for (std::size_t k = rows.size(); k-- > 0 && (stands || is_clear) && rows[k].t >= stop.at_s - 1e-9;) {
      stands = stands && is_standing(rows[k]);
      is_clear = is_clear && force_on_person(rows[k]) < kClear;
      if (stands) stop.rest_s = rows[k].t;
      if (is_clear) stop.clear_s = rows[k].t;
    }
  }

  void finish() {
    const double t = world_.time();
    result_.duration_s = t;
    result_.outcome = command_.outcome;
    if (result_.outcome == TrialOutcome::running) {
      result_.outcome = TrialOutcome::safe_stop;
      if (!result_.stop) result_.stop = StopResult{StopCause::timeout, t, {}, {}};
    }
    if (result_.states.empty() || result_.states.back().t1_s < t || command_.stop)
      close_state(command_.state, command_.contact, t,
                  command_.ended.value_or(command_.stop ? StateEnd::done : StateEnd::timeout));
    if (result_.stop) measure_stop();
    for (std::size_t c = 0; c < result_.contacts.size(); ++c) measure_contact(c);
    result_.widened_rows = controller_.widened_rows();
    TickTimes& ticks = result_.ticks;
    ticks.variables = controller_.variables();
    if (options_.allocations) ticks.allocations = allocations_;
    std::sort(times_.begin(), times_.end());
    if (!times_.empty()) {
      ticks.p50_us = times_[times_.size() / 2];
      ticks.p99_us = times_[std::min(times_.size() - 1,
                                     static_cast<std::size_t>(0.99 * static_cast<double>(times_.size())))];
      ticks.max_us = times_.back();
    }
    explain();
  }

  void measure_contact(std::size_t c) {
    const ContactTruth& truth = world_.contacts()[c];
    ContactResult& contact = result_.contacts[c];
    result_.contact_N = std::max(result_.contact_N, truth.peak);
    if (truth.touched_at < 0.0) return;
    contact.touched_s = truth.touched_at;
    contact.peak_N = truth.peak;
    const std::size_t column = static_cast<std::size_t>(6 + 3 * controller_.joint_count() + 13) + 9 * c;
    double last = -1.0, hold = -1.0;
    for (const TraceRow& row : result_.trace.rows) {
      if (row.values[column] > kTouching) last = row.t;
      const bool holds = contact.detected_s && row.t > *contact.detected_s + 0.5 &&
                         row.state != StateName::RemoveContacts && row.state != StateName::SafeStop &&
                         row.state != StateName::MoveAway && row.state != StateName::NavigateToHuman;
      if (holds) hold = std::max(hold, row.values[column]);
    }
    if (hold >= 0.0) contact.hold_N = hold;
    if (last >= 0.0 && last < result_.duration_s - 0.05) contact.released_s = last;
  }

  void explain() {
    if (result_.outcome == TrialOutcome::completed)
      result_.reason = "every contact was made, held and removed";
    if (result_.outcome == TrialOutcome::declined)
      result_.reason = "the person did not look at the tablet after being asked three times";
    if (result_.outcome == TrialOutcome::safe_stop) {
      result_.reason = std::string("stopped safely: ") + to_string(result_.stop->cause);
      if (!result_.states.empty()) {
        const std::size_t last = result_.states.size() > 1 ? result_.states.size() - 2 : 0;
        result_.reason += std::string(" in ") + to_string(result_.states[last].name);
      }
    }
    find_violations();
    if (result_.outcome == TrialOutcome::completed && !result_.violations.empty())
      result_.reason = "every contact was noticed, held and removed";
    for (std::size_t k = 0; k < result_.violations.size(); ++k)
      result_.reason += (k == 0 ? ", but " : ", ") + result_.violations[k];
  }

  void find_violations() {
    for (const ContactResult& contact : result_.contacts) {
      if (contact.peak_N && *contact.peak_N > contact.limit_N)
        result_.violations.push_back(math::number_text(*contact.peak_N, 3) + " N at '" + contact.name +
                                     "', limit " + math::number_text(contact.limit_N, 3) + " N");
      if (result_.outcome == TrialOutcome::completed && !contact.touched_s)
        result_.violations.push_back("'" + contact.name + "' was not at the " + contact.region);
    }
    if (result_.other_contact_N > 0.0)
      result_.violations.push_back(math::number_text(result_.other_contact_N, 3) +
                                   " N on another part of the person");
  }

  Scenario scenario_;
  TrialOptions options_;
  TrialWorld world_;
  Controller controller_;
  Command command_;
  TrialResult result_;
  std::vector<double> times_;
  std::uint64_t allocations_{0};
  double state_at_{0.0}, tick_us_{0.0};
  bool seen_{false};
};

}  // namespace

TrialResult run_trial(const Scenario& scenario, const TrialOptions& options) {
  const std::string far = out_of_reach(scenario);
  if (!far.empty()) {
    TrialResult result;
    result.scenario_file = scenario.file;
    result.outcome = TrialOutcome::declined;
    result.reason = far;
    for (const ContactSpec& spec : scenario.contacts) {
      ContactResult contact;
      contact.name = spec.name, contact.hand = spec.hand, contact.region = to_string(spec.region),
      contact.limit_N = spec.limit_N;
      result.contacts.push_back(contact);
    }
    return result;
  }
  return TrialRun(scenario, options).run();
}

}  // namespace prehend::assist
