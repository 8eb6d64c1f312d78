#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/assist/control/core.h>
#include <prehend/assist/pages.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>

namespace prehend::assist {
namespace {

using report::Colour;

math::Pose between(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  const Eigen::Vector3d along = b - a;
  const Eigen::Quaterniond q = along.norm() > 1e-9 ? math::rotation_between(Eigen::Vector3d::UnitZ(), along)
                                                   : Eigen::Quaterniond::Identity();
  return {q, 0.5 * (a + b)};
}

geometry::TriangleMesh capsule_mesh(double length, double radius) {
  return length > 1e-6 ? geometry::make_capsule(radius, length, 20) : geometry::make_icosphere(radius, 2);
}

// Robot and person with their motion; a body per capsule.
class Replay {
 public:
  Replay(const Scenario& scenario, const TrialResult& result) : result_(result) {
    const RobotSetup setup = setup_robot(scenario);
    robot_ = setup.robot;
    motion_.name = "the trial";
    for (const TrialPicture& picture : result.pictures) motion_.times.push_back(picture.t);
    add_robot();
    add_person();
    add_camera_picture(robot_.frames[static_cast<std::size_t>(setup.camera)]);
    add_forces();
    scene_.caption =
        "The trial: play it, or drag the time; the arrows are the forces on the robot's hands, the panel is "
        "the camera's picture with the head's mark in red";
    scene_.ground_height = 0.0;
    scene_.add_motion(std::move(motion_));
    scene_.initial_motion = report::MotionIndex(0);
    scene_.view_direction = {0.3, -1.0, 0.4};
  }
  report::Scene3d take() { return std::move(scene_); }

 private:
  void add_body(const std::string& name, const Capsule& capsule, const Colour& colour,
                const std::vector<math::Pose>& poses) {
    report::SceneBody body;
    body.name = name;
    body.mesh_B = capsule_mesh((capsule.b - capsule.a).norm(), capsule.radius);
    body.X_WB = poses.front();
    body.colour = colour;
    const report::BodyIndex index = scene_.add_body(std::move(body));
    motion_.tracks.push_back({index, poses});
  }

  void add_robot() {
    for (const RobotCapsule& capsule : robot_.capsules) {
      const math::Pose X_SC = between(capsule.a_S, capsule.b_S);
      std::vector<math::Pose> poses;
      for (const TrialPicture& picture : result_.pictures)
        poses.push_back(picture.segments[static_cast<std::size_t>(capsule.segment)] * X_SC);
      add_body("robot " + capsule.link, {capsule.a_S, capsule.b_S, capsule.radius},
               report::colour_from_hex(0x4c78a8), poses);
    }
  }

  void add_person() {
    const std::vector<Eigen::Vector3d>& first = result_.pictures.front().person_ends;
    for (int k = 0; k < kBodyParts; ++k) {
      const std::size_t at = 2 * static_cast<std::size_t>(k);
      std::vector<math::Pose> poses;
      for (const TrialPicture& picture : result_.pictures)
        poses.push_back(between(picture.person_ends[at], picture.person_ends[at + 1]));
      const double radius = result_.person_radii[static_cast<std::size_t>(k)];
      add_body(std::string("person ") + to_string(static_cast<BodyPart>(k)),
               {first[at], first[at + 1], radius}, report::colour_from_hex(0xd8a47f), poses);
    }
  }

  // A panel beside the trial: the person as the camera sees them now (X/Z, Y/Z), the picture's middle, and the head's mark.
  void add_camera_picture(const RobotFrame& camera) {
    constexpr double kScale = 0.55;                         // [m] of the panel per unit of X/Z
    constexpr double kHalfWidth = 0.9, kHalfHeight = 0.75;  // of the picture, as X/Z and Y/Z
    const Eigen::Vector3d middle(-0.55, 0.6, 1.15);  // to the left of the robot's way, facing the viewer
    const auto panel = [&](const std::string& name, const geometry::TriangleMesh& mesh, std::uint32_t colour,
                           const std::vector<math::Pose>& poses) {
      report::SceneBody body;
      body.name = name, body.mesh_B = mesh, body.X_WB = poses.front(),
      body.colour = report::colour_from_hex(colour);
      const report::BodyIndex index = scene_.add_body(std::move(body));
      if (poses.size() > 1) motion_.tracks.push_back({index, poses});
    };
    const std::vector<math::Pose> stands{math::Pose::translation(middle)};
    panel("camera picture", geometry::make_box({2.0 * kHalfWidth * kScale, 0.01, 2.0 * kHalfHeight * kScale}),
          0xf1f3f5, stands);
    const std::vector<math::Pose> before{math::Pose::translation(middle - Eigen::Vector3d(0.0, 0.01, 0.0))};
    panel("camera picture, middle across", geometry::make_box({0.06, 0.004, 0.004}), 0x46566b, before);
    panel("camera picture, middle upright", geometry::make_box({0.004, 0.004, 0.06}), 0x46566b, before);
    for (int k = 0; k < kBodyParts; ++k) {
      const bool is_head = static_cast<BodyPart>(k) == BodyPart::head;
      std::vector<math::Pose> poses;
      for (const TrialPicture& picture : result_.pictures) {
        const std::size_t at = 2 * static_cast<std::size_t>(k);
        const math::Pose X_WC = picture.segments[static_cast<std::size_t>(camera.segment)] * camera.X_SF;
        const Eigen::Vector3d p_C =
            X_WC.inverse() * Eigen::Vector3d(0.5 * (picture.person_ends[at] + picture.person_ends[at + 1]));
        const double u = p_C.x() / std::max(0.05, p_C.z()), v = p_C.y() / std::max(0.05, p_C.z());
        const bool is_seen = p_C.z() > 0.05 && std::abs(u) < kHalfWidth && std::abs(v) < kHalfHeight;
        // What is not in the picture waits behind the panel.
        poses.push_back(math::Pose::translation(
            middle + Eigen::Vector3d(kScale * u * is_seen, is_seen ? (is_head ? -0.03 : -0.015) : 0.04,
                                     -kScale * v * is_seen)));
      }
      const double radius = is_head ? 0.025 : kScale * result_.person_radii[static_cast<std::size_t>(k)];
      panel(is_head ? "camera picture, the head's mark"
                    : std::string("camera picture, ") + to_string(static_cast<BodyPart>(k)),
            geometry::make_icosphere(radius, 2), is_head ? 0xc1121f : 0xd8a47f, poses);
    }
  }

  void add_forces() {
    report::ArrowLayer layer;
    layer.name = "forces on the robot's hands";
    layer.scale = 0.03;
    scene_.arrows.push_back(layer);
    report::ArrowTrack track;
    for (std::size_t k = 0; k < motion_.times.size(); ++k) {
      const TraceRow& row = result_.trace.rows[std::min(result_.trace.rows.size() - 1, 4 * k)];
      std::vector<report::Arrow> arrows;
      for (const std::string& contact : result_.trace.contacts) {
        const std::size_t f = static_cast<std::size_t>(result_.trace.column("fx_" + contact));
        const Eigen::Vector3d force(row.values[f], row.values[f + 1], row.values[f + 2]),
            point(row.values[f + 3], row.values[f + 4], row.values[f + 5]);
        if (point.allFinite() && force.norm() > 0.01)
          arrows.push_back({point, force, contact + ": " + math::number_text(force.norm(), 3) + " N"});
      }
      track.arrows.push_back(std::move(arrows));
    }
    motion_.arrow_tracks.push_back(std::move(track));
  }

  const TrialResult& result_;
  RobotModel robot_;
  report::Scene3d scene_;
  report::Motion motion_;
};

struct Curve {
  std::string column, name;
};

report::Plot time_plot(const TrialResult& result, const std::string& title, const std::string& unit,
                       const std::vector<Curve>& curves) {
  report::Plot plot;
  plot.title = title, plot.y_unit = unit;
  for (const TraceRow& row : result.trace.rows) plot.x.push_back(row.t);
  for (const Curve& curve : curves) {
    const int column = result.trace.column(curve.column);
    if (column < 0) continue;
    report::Series series;
    series.name = curve.name;
    for (const TraceRow& row : result.trace.rows)
      series.y.push_back(row.values[static_cast<std::size_t>(column)]);
    plot.series.push_back(std::move(series));
  }
  return plot;
}

void add_limit(report::Plot& plot, const std::string& name, double value) {
  report::Series line;
  line.name = name;
  line.y.assign(plot.x.size(), value);
  line.style = report::Series::Style::dashed;
  line.colour = report::colour_from_hex(0xc1121f);
  plot.series.push_back(std::move(line));
}

void add_plots(const Scenario& scenario, const TrialResult& result, report::SceneIndex scene,
               report::Page& page) {
  const auto add = [&](report::Plot plot) {
    plot.scene = scene;
    page.add(std::move(plot), report::Width::half);
  };
  page.add_heading("Curves");
  add(time_plot(result, "Navigation errors", "m, rad", {{"e_x", "x"}, {"e_y", "y"}, {"e_yaw", "yaw"}}));
  report::Plot angle = time_plot(result, "Face to tablet", "rad", {{"tablet_angle", "angle"}});
  add_limit(angle, "looks", scenario.tuning.look_rad);
  add(std::move(angle));
  for (const ContactSpec& contact : scenario.contacts) {
    report::Plot residual =
        time_plot(result, "Residual of " + contact.joint, "rad",
                  {{"r_" + contact.name, "residual"}, {"rf_" + contact.name, "filtered"}});
    add_limit(residual, "threshold", contact.threshold_rad);
    add_limit(residual, "-threshold", -contact.threshold_rad);
    add(std::move(residual));
    report::Plot force = time_plot(result, "Force on the " + std::string(to_string(contact.region)), "N",
                                   {{"f_" + contact.name, "normal force"}});
    add_limit(force, "limit", contact.limit_N);
    add(std::move(force));
  }
  report::Plot speed =
      time_plot(result, "Base", "m/s, rad/s", {{"base_vx", "vx"}, {"base_vy", "vy"}, {"base_wz", "turn"}});
  add_limit(speed, "speed limit", scenario.robot.speed_mps);
  add_limit(speed, "-speed limit", -scenario.robot.speed_mps);
  add(std::move(speed));
  add(time_plot(result, "The head in the camera's picture (X/Z, Y/Z)", "",
                {{"head_u", "u"}, {"head_v", "v"}}));
}

report::Colour colour_of(StateName state) {
  switch (state) {
    case StateName::InitialPosture: return report::colour_from_hex(0x9ea8b5);
    case StateName::NavigateToHuman: return report::colour_from_hex(0x7fa6d0);
    case StateName::IntentCommunication: return report::colour_from_hex(0xf2b134);
    case StateName::PreContact: return report::colour_from_hex(0x72b7b2);
    case StateName::MakeContact: return report::colour_from_hex(0x6fbf66);
    case StateName::RemoveContacts: return report::colour_from_hex(0xc795b9);
    case StateName::MoveAway: return report::colour_from_hex(0x7fa6d0);
    case StateName::SafeStop: return report::colour_from_hex(0xe4572e);
  }
  throw std::logic_error("unknown state");
}

// States, touches and faults over the time of the trial.
report::Timeline state_strip(const TrialResult& result, report::SceneIndex scene) {
  report::Timeline strip;
  strip.caption = "The trial over time: drag to move through it";
  strip.scene = scene;
  report::Timeline::Row states{"states", {}};
  for (const StateVisit& visit : result.states)
    states.bars.push_back({std::string(to_string(visit.name)), visit.t0_s, visit.t1_s, colour_of(visit.name)});
  strip.rows.push_back(std::move(states));
  for (const ContactResult& contact : result.contacts) {
    report::Timeline::Row row{"touches " + contact.region, {}};
    if (contact.touched_s)
      row.bars.push_back({"in contact", *contact.touched_s, contact.released_s.value_or(result.duration_s),
                          report::colour_from_hex(report::kContactGold)});
    strip.rows.push_back(std::move(row));
  }
  for (const InjectedFault& fault : result.faults)
    strip.marks.push_back({std::string(to_string(fault.kind)), fault.t_s});
  return strip;
}

// Names and units by turns.
std::vector<report::Column> columns_of(std::initializer_list<const char*> words) {
  std::vector<report::Column> columns;
  for (const char* const* word = words.begin(); word != words.end(); word += 2) {
    report::Column column;
    column.name = word[0], column.unit = word[1];
    columns.push_back(column);
  }
  return columns;
}

report::Table story_table(const TrialResult& result) {
  report::Table table;
  table.caption = "States";
  table.columns = columns_of({"state", "", "contact", "", "from", "s", "to", "s", "end", ""});
  for (const StateVisit& visit : result.states)
    table.rows.push_back({std::string(to_string(visit.name)), visit.contact, visit.t0_s, visit.t1_s,
                          std::string(to_string(visit.end))});
  return table;
}

report::Table contact_rows(const TrialResult& result) {
  report::Table table;
  table.caption = "Contacts";
  table.columns = columns_of({"contact", "", "region", "", "touched", "s", "noticed after", "s", "released",
                              "s", "peak", "N", "hold", "N", "limit", "N"});
  const auto cell = [](const std::optional<double>& value) {
    return value ? report::Cell(*value) : report::Cell();
  };
  for (const ContactResult& contact : result.contacts) {
    std::optional<double> after;
    if (contact.touched_s && contact.detected_s) after = *contact.detected_s - *contact.touched_s;
    table.rows.push_back({contact.name, contact.region, cell(contact.touched_s), cell(after),
                          cell(contact.released_s), cell(contact.peak_N), cell(contact.hold_N),
                          contact.limit_N});
  }
  return table;
}

}  // namespace

report::Page trial_page(const Scenario& scenario, const TrialResult& result) {
  report::Page page("How do I touch a person safely?");
  const bool is_good = result.outcome == TrialOutcome::completed && result.violations.empty();
  page.set_verdict(is_good ? report::Verdict::good : report::Verdict::note,
                   std::string(to_string(result.outcome)) + ": " + result.reason + ".");
  if (result.trace.rows.empty()) return page;
  const report::SceneIndex scene = page.add(Replay(scenario, result).take());
  page.add(state_strip(result, scene));
  page.add(contact_rows(result));
  add_plots(scenario, result, scene, page);
  page.add_heading("The story");
  std::string words;
  for (const Utterance& word : result.said)
    words += "- " + math::number_text(word.t_s, 4) + " s: \"" + word.text + "\"\n";
  if (!words.empty()) page.add_text(words);
  page.add(story_table(result));
  report::Pictures tablets;
  for (const ContactSpec& contact : scenario.contacts)
    tablets.pictures.push_back({"On the tablet: " + contact.name, tablet_picture(contact)});
  page.add(std::move(tablets));
  return page;
}

}  // namespace prehend::assist
