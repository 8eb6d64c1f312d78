#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include <yaml-cpp/yaml.h>

#include <prehend/assist/control/core.h>
#include <prehend/assist/scenario.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/number_text.h>
#include <prehend/model/embedded_data.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>

namespace prehend::assist {
namespace {

int line_of(const YAML::Node& node) { return !node.IsDefined() || node.Mark().is_null() ? 0 : node.Mark().line + 1; }

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Range {
  double low{-kInfinite}, high{kInfinite};
  bool open_low{false};
};

// A table of the file: every key is asked for by name, what is left over is an error.
class Table {
 public:
  Table(const YAML::Node& node, std::string path, Scenario& scenario) : node_(node), path_(std::move(path)), scenario_(scenario) {
    if (!node.IsMap()) fail(node, (path_.empty() ? "the scenario" : "'" + path_ + "'") + " must be a table of keys and values");
    for (const auto& item : node) {
      const std::string key = item.first.IsScalar() ? item.first.Scalar() : "";
      if (key.empty()) fail(item.first, "a key of '" + path_ + "' is no word");
      if (!all_.insert(key).second) fail(item.first, "the key '" + key + "' stands here twice");
      scenario_.lines[path_.empty() ? key : path_ + "." + key] = line_of(item.first);
    }
    if (node.size() > 0 && !path_.empty() && !scenario_.lines.contains(path_)) scenario_.lines[path_] = line_of(node);
  }

  [[noreturn]] void fail(const YAML::Node& where, const std::string& what) const { throw model::InputError(scenario_.file, line_of(where), what); }
  [[noreturn]] void fail(const std::string& key, const std::string& what) const {
    throw model::InputError(scenario_.file, scenario_.line_of(name_of(key)), what);
  }
  std::string name_of(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  YAML::Node get(const std::string& key) {
    known_.insert(key);
    return all_.contains(key) ? node_[key] : YAML::Node(YAML::NodeType::Undefined);
  }
  bool has(const std::string& key) { return get(key).IsDefined() && !get(key).IsNull(); }
  const std::set<std::string>& keys() const { return all_; }

  double number(const std::string& key, const Range& range = {}) {
    const YAML::Node node = get(key);
    if (!node.IsDefined()) fail(node_, "'" + name_of(key) + "' is missing");
    double value = 0.0;
    try {
      value = node.as<double>();
    } catch (const YAML::Exception&) {
      fail(node, "'" + name_of(key) + "' is not a number");
    }
    if (!std::isfinite(value)) fail(node, "'" + name_of(key) + "' is " + math::number_text(value) + "; it must be a finite number");
    if (value < range.low || value > range.high || (range.open_low && value == range.low))
      fail(node, "'" + name_of(key) + "' is " + math::number_text(value) + "; it must be " + (range.open_low ? "above " : "at least ") +
                     math::number_text(range.low) + (std::isfinite(range.high) ? " and at most " + math::number_text(range.high) : ""));
    return value;
  }
  void maybe(const std::string& key, double& value, const Range& range = {}) {
    if (get(key).IsDefined()) value = number(key, range);
  }
  // null: never.
  void maybe_never(const std::string& key, std::optional<double>& value) {
    if (!get(key).IsDefined()) return;
    value = get(key).IsNull() ? std::nullopt : std::optional<double>(number(key, {0.0, 1e6}));
  }
  void maybe(const std::string& key, int& value) {
    double number_read = value;
    maybe(key, number_read, {0.0, 1e6});
    if (number_read != std::floor(number_read)) fail(key, "'" + name_of(key) + "' must be a whole number");
    value = static_cast<int>(number_read);
  }
  std::string word(const std::string& key) {
    const YAML::Node node = get(key);
    if (!node.IsDefined()) fail(node_, "'" + name_of(key) + "' is missing");
    if (!node.IsScalar() || node.Scalar().empty()) fail(node, "'" + name_of(key) + "' must be a text");
    return node.Scalar();
  }
  void maybe(const std::string& key, std::string& value) {
    if (get(key).IsDefined()) value = word(key);
  }
  void maybe(const std::string& key, bool& value) {
    if (!get(key).IsDefined()) return;
    try {
      value = get(key).as<bool>();
    } catch (const YAML::Exception&) {
      fail(get(key), "'" + name_of(key) + "' must be true or false");
    }
  }
  template <class Enum>
  Enum choice(const std::string& key) {
    const std::string text = word(key);
    if (const auto value = from_string<Enum>(text)) return *value;
    fail(get(key), "'" + name_of(key) + "' is '" + text + "'; it must be " + enum_choices<Enum>());
  }

  // After all keys have been asked for.
  void end() const {
    for (const auto& item : node_) {
      const std::string key = item.first.Scalar();
      if (known_.contains(key)) continue;
      std::string names;
      for (const std::string& name : known_) names += (names.empty() ? "" : ", ") + name;
      fail(item.first, "unknown key '" + key + "'" + (path_.empty() ? "" : " in '" + path_ + "'") + "; known are " + names);
    }
  }

 private:
  YAML::Node node_;
  std::string path_;
  Scenario& scenario_;
  std::set<std::string> all_, known_;
};

constexpr Range kPositive{0.0, 1e6, true}, kNotNegative{0.0, 1e6};

class ScenarioReader {
 public:
  explicit ScenarioReader(Scenario& scenario, std::string folder) : scenario_(scenario), folder_(std::move(folder)) {}

  void read(const YAML::Node& root) {
    Table top(root, "", scenario_);
    // A misspelt key is named before the one that is missed in its place.
    for (const char* key : {"version", "seed", "duration_s", "observer", "robot", "person", "sensing", "contacts", "limits", "faults", "tuning"})
      top.has(key);
    top.end();
    if (top.number("version") != 1.0) top.fail("version", "'version' is " + math::number_text(top.number("version")) + "; this program reads version 1");
    double seed = 0.0;
    top.maybe("seed", seed, {0.0, 9e15});
    if (seed != std::floor(seed)) top.fail("seed", "'seed' must be a whole number");
    scenario_.seed = static_cast<std::uint64_t>(seed);
    top.maybe("duration_s", scenario_.duration_s, {0.0, 3600.0, true});
    std::string observer;
    top.maybe("observer", observer);
    if (!observer.empty()) scenario_.observer = beside(observer);
    if (top.has("robot")) read_robot(Table(top.get("robot"), "robot", scenario_));
    if (!top.has("person")) top.fail(root, "'person' is missing");
    read_person(Table(top.get("person"), "person", scenario_));
    if (top.has("sensing")) read_sensing(Table(top.get("sensing"), "sensing", scenario_));
    read_contacts(top);
    if (!top.has("limits")) top.fail(root, "'limits' is missing; expected limits: {contact_N: {CONTACT: N}}");
    read_limits(Table(top.get("limits"), "limits", scenario_));
    read_faults(top);
    if (top.has("tuning")) read_tuning(Table(top.get("tuning"), "tuning", scenario_));
  }

 private:
  std::string beside(const std::string& path) const { return path.starts_with('/') ? path : folder_ + path; }

  void read_robot(Table table) {
    RobotSpec& robot = scenario_.robot;
    std::string urdf;
    table.maybe("urdf", urdf);
    if (!urdf.empty()) robot.urdf = beside(urdf);
    if (table.has("upright")) {
      Table upright(table.get("upright"), "robot.upright", scenario_);
      for (const std::string& joint : upright.keys()) robot.upright[joint] = upright.number(joint);
    }
    if (table.has("head")) {
      const YAML::Node head = table.get("head");
      if (!head.IsSequence() || head.size() != 2 || !head[0].IsScalar() || !head[1].IsScalar())
        table.fail(head, "'robot.head' must be a list of two joints: yaw, pitch");
      robot.head = {head[0].Scalar(), head[1].Scalar()};
    }
    if (table.has("frames")) {
      Table frames(table.get("frames"), "robot.frames", scenario_);
      frames.maybe("camera", robot.camera), frames.maybe("tablet", robot.tablet);
      frames.end();
    }
    if (table.has("base")) read_base(Table(table.get("base"), "robot.base", scenario_));
    table.end();
  }

  void read_base(Table table) {
    RobotSpec& robot = scenario_.robot;
    table.maybe("link", robot.base_link);
    table.maybe("speed_mps", robot.speed_mps, {0.0, 5.0, true});
    table.maybe("turn_radps", robot.turn_radps, {0.0, 10.0, true});
    table.maybe("acceleration_mps2", robot.acceleration_mps2, {0.0, 10.0, true});
    table.maybe("turn_acceleration_radps2", robot.turn_acceleration_radps2, {0.0, 50.0, true});
    if (table.has("support_m")) read_support(table);
    table.end();
  }

  void read_support(Table& table) {
    const YAML::Node corners = table.get("support_m");
    if (!corners.IsSequence() || corners.size() < 3 || corners.size() > 16) table.fail(corners, "'robot.base.support_m' must be a list of 3 to 16 corners [x, y]");
    std::vector<Eigen::Vector2d> points;
    for (const YAML::Node& corner : corners) {
      Eigen::Vector2d p(kInfinite, 0.0);
      try {
        if (corner.IsSequence() && corner.size() == 2) p = {corner[0].as<double>(), corner[1].as<double>()};
      } catch (const YAML::Exception&) {
      }
      if (!p.allFinite()) table.fail(corner, "a corner of 'robot.base.support_m' must be two finite numbers [x, y]");
      points.push_back(p);
    }
    double area = 0.0;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Eigen::Vector2d &a = points[k], &b = points[(k + 1) % points.size()];
      area += a.x() * b.y() - b.x() * a.y();
    }
    if (std::abs(area) < 1e-4) table.fail(corners, "'robot.base.support_m' encloses no area");
    if (area < 0.0) std::reverse(points.begin(), points.end());
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Eigen::Vector2d u = points[(k + 1) % points.size()] - points[k], w = points[(k + 2) % points.size()] - points[(k + 1) % points.size()];
      if (u.x() * w.y() - w.x() * u.y() <= 0.0) table.fail(corners, "'robot.base.support_m' must be a convex polygon");
    }
    scenario_.robot.support_m = points;
  }

  void read_person(Table table) {
    PersonSpec& person = scenario_.person;
    table.maybe("height_m", person.height_m, {1.0, 2.3});
    table.maybe("seat_height_m", person.seat_height_m, {0.2, 0.8});
    if (table.has("pose")) {
      Table pose(table.get("pose"), "person.pose", scenario_);
      person.x_m = pose.number("x_m", {-100.0, 100.0}), person.y_m = pose.number("y_m", {-100.0, 100.0});
      person.yaw_rad = pose.number("yaw_rad", {-100.0, 100.0});
      pose.end();
    }
    table.maybe_never("looks_at_tablet_s", person.looks_at_tablet_s);
    table.maybe_never("gives_hand_s", person.gives_hand_s);
    table.end();
  }

  void read_sensing(Table table) {
    SensingSpec& sensing = scenario_.sensing;
    table.maybe("control_hz", sensing.control_hz, {0.0, 2000.0, true});
    table.maybe("tracking_hz", sensing.tracking_hz, {0.0, 2000.0, true});
    if (sensing.control_hz < 20.0) table.fail("control_hz", "'sensing.control_hz' is " + math::number_text(sensing.control_hz) + "; it must be at least 20");
    table.maybe("latency_s", sensing.latency_s, {0.0, 0.45});
    table.maybe("position_noise_m", sensing.position_noise_m, {0.0, 1.0});
    table.maybe("dropout", sensing.dropout, {0.0, 1.0});
    table.maybe("close_range_m", sensing.close_range_m, kNotNegative);
    table.maybe("close_range_noise_m", sensing.close_range_noise_m, {0.0, 1.0});
    table.end();
  }

  void read_contacts(Table& top) {
    if (!top.has("contacts")) top.fail("contacts", "'contacts' is missing");
    const YAML::Node list = top.get("contacts");
    if (!list.IsSequence() || list.size() == 0 || list.size() > 8) top.fail(list, "'contacts' must be a list of 1 to 8 contacts");
    for (std::size_t k = 0; k < list.size(); ++k) {
      Table table(list[k], "contacts." + std::to_string(k), scenario_);
      ContactSpec contact;
      contact.name = table.word("name");
      if (!std::all_of(contact.name.begin(), contact.name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; }))
        table.fail("name", "the contact's name '" + contact.name + "' must be letters, digits, _ and -: it names columns of the traces");
      contact.hand = table.word("hand"), contact.frame = table.word("frame");
      contact.region = table.choice<BodyRegion>("region");
      contact.joint = table.word("joint");
      contact.say = "I will touch you now.";
      table.maybe("say", contact.say), table.maybe("picture", contact.picture);
      table.maybe("hold_s", contact.hold_s, {0.0, 60.0});
      table.maybe("threshold_rad", contact.threshold_rad, {0.0, 0.2, true});
      table.maybe("invites", contact.invites);
      table.maybe("gripper", contact.gripper);
      const bool is_hand = contact.region == BodyRegion::right_hand || contact.region == BodyRegion::left_hand;
      if (contact.invites && !is_hand) table.fail("invites", "contact '" + contact.name + "' invites a shoulder; only a hand comes to the robot's");
      for (const ContactSpec& other : scenario_.contacts) {
        if (other.name == contact.name) table.fail("name", "two contacts are named '" + contact.name + "'");
        if (other.frame == contact.frame || other.region == contact.region)
          table.fail(other.frame == contact.frame ? "frame" : "region", "contact '" + contact.name + "' uses the same " + (other.frame == contact.frame ? "palm" : "region") + " as contact '" +
                                  other.name + "', which still holds then");
      }
      table.end();
      scenario_.contacts.push_back(contact);
    }
  }

  void read_limits(Table table) {
    if (!table.has("contact_N")) table.fail("contact_N", "'limits.contact_N' is missing; expected a force for every contact");
    Table forces(table.get("contact_N"), "limits.contact_N", scenario_);
    for (ContactSpec& contact : scenario_.contacts) {
      if (!forces.has(contact.name)) forces.fail("", "'limits.contact_N' has no force for contact '" + contact.name + "'");
      contact.limit_N = forces.number(contact.name, kPositive);
      const RegionLimits standard = region_limits(contact.region);
      if (contact.limit_N > standard.quasi_static_N)
        forces.fail(contact.name, "'limits.contact_N." + contact.name + "' is " + math::number_text(contact.limit_N) + " N; ISO/TS 15066 (as commonly quoted) allows at most " +
                                      math::number_text(standard.quasi_static_N) + " N at the " + to_string(contact.region) + " (quasi-static)");
      if (contact.limit_N < 8.0)
        forces.fail(contact.name, "'limits.contact_N." + contact.name + "' is " + math::number_text(contact.limit_N) + " N; a contact is not noticed below about 3 N, so the limit must be at least 8 N");
      if (contact.invites && contact.limit_N < 15.0)
        forces.fail(contact.name, "'limits.contact_N." + contact.name + "' is " + math::number_text(contact.limit_N) + " N; a hand that a person puts down on the palm presses with up to 14 N, so the limit must be at least 15 N");
    }
    forces.end();
    table.end();
  }

  void read_faults(Table& top) {
    if (!top.has("faults")) return;
    const YAML::Node list = top.get("faults");
    if (!list.IsSequence() || list.size() > 100) top.fail(list, "'faults' must be a list of at most 100 faults");
    for (std::size_t k = 0; k < list.size(); ++k) {
      Table table(list[k], "faults." + std::to_string(k), scenario_);
      FaultSpec fault;
      fault.kind = table.choice<FaultKind>("kind");
      fault.state = table.choice<StateName>("state");
      table.maybe("contact", fault.contact);
      if (!fault.contact.empty() && std::none_of(scenario_.contacts.begin(), scenario_.contacts.end(), [&](const ContactSpec& c) { return c.name == fault.contact; }))
        table.fail("contact", "the fault names the contact '" + fault.contact + "', which does not exist");
      table.maybe("after_s", fault.after_s, kNotNegative);
      if (table.has("for_s")) fault.for_s = table.number("for_s", kPositive);
      switch (fault.kind) {
        case FaultKind::tracker_jump: fault.offset_m = table.number("offset_m", {-10.0, 10.0}); break;
        case FaultKind::person_steps_back:
          fault.distance_m = table.number("distance_m", {0.0, 10.0, true}), fault.speed_mps = table.number("speed_mps", {0.0, 5.0, true});
          break;
        case FaultKind::person_pushes: fault.link = table.word("link"), fault.force_N = table.number("force_N", {0.0, 500.0}); break;
        case FaultKind::joint_stuck: fault.joint = table.word("joint"); break;
        case FaultKind::sensor_nan: fault.signal = table.word("signal"); break;
        case FaultKind::tick_overrun: fault.delay_ms = table.number("delay_ms", {0.0, 1000.0}); break;
        case FaultKind::vision_lost:
        case FaultKind::tracker_frozen:
        case FaultKind::qp_infeasible: break;
      }
      table.end();
      scenario_.faults.push_back(fault);
    }
  }

  void read_tuning(Table table) {
    Tuning& tuning = scenario_.tuning;
    for (int s = 0; s < kStateCount; ++s) {
      const std::string name = to_string(static_cast<StateName>(s));
      if (!table.has(name)) continue;
      Table state(table.get(name), "tuning." + name, scenario_);
      StateSettings& settings = tuning.states[static_cast<std::size_t>(s)];
      state.maybe("timeout_s", settings.timeout_s, kPositive);
      const auto pair = [&](const std::string& task, double& weight, double& stiffness) {
        state.maybe(task + "_weight", weight, {1e-3, 1e6}), state.maybe(task + "_stiffness", stiffness, {0.0, 400.0, true});
      };
      pair("posture", settings.posture_weight, settings.posture_stiffness), pair("base", settings.base_weight, settings.base_stiffness);
      pair("com", settings.com_weight, settings.com_stiffness), pair("look", settings.look_weight, settings.look_stiffness);
      pair("hand", settings.hand_weight, settings.hand_stiffness);
      state.maybe("retries", settings.retries);
      state.end();
    }
    table.maybe("posture_done_rad", tuning.posture_done_rad, kPositive);
    table.maybe("navigation_done_m", tuning.navigation_done_m, {0.005, 1.0}), table.maybe("navigation_done_rad", tuning.navigation_done_rad, {0.005, 1.0});
    table.maybe("target_forward_m", tuning.target_forward_m, {0.0, 2.0}), table.maybe("target_aside_m", tuning.target_aside_m, {0.0, 2.0});
    table.maybe("vision_short_s", tuning.vision_short_s, {0.1, 2.0}), table.maybe("vision_long_s", tuning.vision_long_s, {0.5, 30.0});
    table.maybe("look_rad", tuning.look_rad, {0.0, 3.2, true}), table.maybe("intent_s", tuning.intent_s, kNotNegative);
    table.maybe("median_ticks", tuning.median_ticks);
    if (tuning.median_ticks < 1 || tuning.median_ticks > 64) table.fail("median_ticks", "'tuning.median_ticks' must be 1 to 64");
    table.maybe("approach_force_N", tuning.approach_force_N, {1.0, 100.0}), table.maybe("approach_speed_mps", tuning.approach_speed_mps, {0.005, 0.25});
    table.maybe("person_left_m", tuning.person_left_m, {0.05, 2.0}), table.maybe("away_m", tuning.away_m, {0.1, 5.0});
    table.maybe("approaches", tuning.approaches);
    table.end();
  }

  Scenario& scenario_;
  std::string folder_;
};

// Signals that a sensor stands behind.
bool is_signal(const Scenario& scenario, const RobotModel& robot, const std::string& signal) {
  static const std::set<std::string> plain{"t",      "base_x", "base_y", "base_yaw", "base_vx", "base_vy", "base_wz", "seen",         "e_x",      "e_y",      "e_yaw",
                                           "head_x", "head_y", "head_z", "head_u",   "head_v",  "tablet_angle", "person_x", "person_y", "person_yaw"};
  if (plain.contains(signal)) return true;
  for (const RobotJoint& joint : robot.joints)
    for (const char* what : {"q_", "v_", "tau_"})
      if (signal == what + joint.name) return true;
  for (const ContactSpec& contact : scenario.contacts)
    if (signal == "r_" + contact.name || signal == "rf_" + contact.name) return true;
  return false;
}

// What only the robot can tell: names, postures, and whether the person stands in it.
void check_with_robot(const Scenario& scenario) {
  const auto refuse = [&](const std::string& key, const std::string& what) { throw model::InputError(scenario.file, scenario.line_of(key), what); };
  if (!scenario.robot.urdf.empty()) {
    try {
      model::read_file(scenario.robot.urdf, {.max_bytes = std::size_t{64} << 20});
    } catch (const model::InputError& error) {
      refuse("robot.urdf", "the robot's file '" + scenario.robot.urdf + "' cannot be read: " + error.message());
    }
  }
  if (!scenario.observer.empty() && !std::ifstream(scenario.observer).good())
    refuse("observer", "the observer's file '" + scenario.observer + "' cannot be read: no such file");
  const RobotSetup setup = setup_robot(scenario);
  for (std::size_t k = 0; k < scenario.faults.size(); ++k) {
    const FaultSpec& fault = scenario.faults[k];
    const std::string key = "faults." + std::to_string(k) + ".";
    if (fault.kind == FaultKind::joint_stuck && setup.robot.find_joint(fault.joint) < 0)
      refuse(key + "joint", "the fault's joint '" + fault.joint + "' is no joint of the robot; it has " + setup.robot.joint_names());
    if (fault.kind == FaultKind::person_pushes && setup.robot.find_frame(fault.link) < 0)
      refuse(key + "link", "the fault's link '" + fault.link + "' is no link of the robot");
    if (fault.kind == FaultKind::sensor_nan && !is_signal(scenario, setup.robot, fault.signal))
      refuse(key + "signal", "the fault's signal '" + fault.signal + "' is no trace column with a sensor behind it; expected base_*, q_JOINT, v_JOINT, tau_JOINT, "
                             "head_*, person_*, e_*, tablet_angle, r_CONTACT, rf_CONTACT, seen or t");
  }
  RobotState state(setup.robot);
  state.set(setup.whole_body.upright, Freedoms::Zero(setup.robot.freedoms()));
  const PersonSpec& person = scenario.person;
  const SeatedFigure figure = seated_figure(person.height_m, person.seat_height_m,
                                            {region_centre(person.height_m, BodyRegion::right_hand), region_centre(person.height_m, BodyRegion::left_hand)});
  const Eigen::AngleAxisd turn(person.yaw_rad, Eigen::Vector3d::UnitZ());
  const Eigen::Vector3d pelvis(person.x_m, person.y_m, person.seat_height_m);
  for (const RobotCapsule& own : setup.robot.capsules) {
    const Capsule shape{state.point(own.segment, own.a_S), state.point(own.segment, own.b_S), own.radius};
    for (int k = 0; k < kBodyParts; ++k) {
      const Capsule& part = figure.parts_P[static_cast<std::size_t>(k)];
      if (capsule_gap(shape, {pelvis + turn * part.a, pelvis + turn * part.b, part.radius}).distance < 0.02)
        refuse("person.pose", "the person overlaps the robot at the start (" + std::string(to_string(static_cast<BodyPart>(k))) + " and '" + own.link +
                                  "'); the robot starts at the origin, looking along x");
    }
  }
}

}  // namespace

Scenario parse_scenario(const std::string& text, const std::string& name) {
  Scenario scenario;
  scenario.file = name;
  if (text.size() > (std::size_t{1} << 20)) throw model::InputError(name, 0, "the scenario is larger than 1 MiB");
  const std::size_t slash = name.rfind('/');
  try {
    const YAML::Node root = YAML::Load(text);
    ScenarioReader(scenario, slash == std::string::npos ? "" : name.substr(0, slash + 1)).read(root);
  } catch (const YAML::Exception& error) {
    throw model::InputError(name, error.mark.is_null() ? 0 : error.mark.line + 1, "not readable as YAML: " + error.msg);
  }
  check_with_robot(scenario);
  return scenario;
}

Scenario read_scenario(const std::string& path) { return parse_scenario(model::read_file(path, {.max_bytes = std::size_t{1} << 20}), path); }

Scenario default_scenario() { return parse_scenario(std::string(model::embedded_file("assist/trial.yaml")), "trial.yaml"); }

}  // namespace prehend::assist
