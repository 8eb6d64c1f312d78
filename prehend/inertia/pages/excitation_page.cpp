#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Eigenvalues>

#include <prehend/geometry/primitives.h>
#include <prehend/inertia/pages.h>
#include <prehend/math/number_text.h>
#include <prehend/model/house/chain_sweep.h>
#include <prehend/model/text_table.h>

namespace prehend::inertia {
namespace {

std::vector<double> column(const Eigen::VectorXd& values) {
  return {values.data(), values.data() + values.size()};
}

report::Plot joint_plot(const model::JointChain& chain, const Excitation& plan, report::SceneIndex scene) {
  report::Plot plot;
  plot.title = "Joint positions";
  plot.y_label = "position";
  plot.y_unit = "rad";
  plot.x = column(plan.plan.trajectory.t);
  plot.scene = scene;
  for (int i = 0; i < chain.size(); ++i) {
    const model::ChainJoint& joint = chain.joints[static_cast<std::size_t>(i)];
    plot.series.push_back({joint.name + (joint.type == model::JointType::prismatic ? " [m]" : ""),
                           {},
                           column(plan.plan.trajectory.q.col(i)),
                           report::Series::Style::line,
                           std::nullopt});
  }
  return plot;
}

std::vector<double> tool_speeds(const model::JointChain& chain, const Trajectory& trajectory,
                                const ExpectedObject& object) {
  model::ChainSweep sweep(chain);
  std::vector<double> speeds;
  for (Eigen::Index row = 0; row < trajectory.t.size(); ++row) {
    const model::FrameMotion& m =
        sweep.forward(trajectory.q.row(row).transpose(), trajectory.qd.row(row).transpose(),
                      trajectory.qdd.row(row).transpose());
    speeds.push_back(std::sqrt(std::max(
        m.v.squaredNorm(), squared_ball_speed(m.v + m.w.cross(object.centre()), m.w, object.radius()))));
  }
  return speeds;
}

report::Plot speed_plot(const model::JointChain& chain, const Excitation& plan,
                        const ExcitationOptions& options, report::SceneIndex scene) {
  report::Plot plot;
  plot.title = "Speed of the fastest point of sensor and object";
  plot.y_label = "speed";
  plot.y_unit = "m/s";
  plot.x = column(plan.plan.trajectory.t);
  plot.scene = scene;
  plot.series.push_back({"planned",
                         {},
                         tool_speeds(chain, plan.plan.trajectory, options.object),
                         report::Series::Style::line,
                         std::nullopt});
  plot.series.push_back({"limit",
                         {},
                         std::vector<double>(plot.x.size(), options.limits.tool_speed),
                         report::Series::Style::dashed,
                         report::colour_from_hex(report::kForceOrange)});
  if (plan.stills.empty()) {
    std::vector<double> baseline = tool_speeds(chain, plan.baseline.trajectory, options.object);
    baseline.resize(plot.x.size(), std::nan(""));
    plot.series.push_back({"baseline",
                           {},
                           std::move(baseline),
                           report::Series::Style::line,
                           report::colour_from_hex(report::kGrey)});
  }
  return plot;
}

// Which way gravity pulls, seen from the sensor: what still samples live from.
report::Scene3d gravity_sphere(const model::JointChain& chain, const Excitation& plan) {
  report::Scene3d scene;
  report::SceneBody sphere;
  sphere.name = "all directions";
  sphere.mesh_B = geometry::make_icosphere(1.0, 3);
  sphere.opacity = 0.15;
  scene.add_body(std::move(sphere));
  model::ChainSweep sweep(chain, -chain.gravity_W);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(chain.size());
  const auto direction = [&](const Eigen::VectorXd& q) -> Eigen::Vector3d {
    return -sweep.forward(q, zero, zero).a.normalized();
  };
  const auto add = [&](const char* name, const Trajectory& trajectory, const report::Colour& colour) {
    report::Polyline line;
    line.name = name;
    const Eigen::Index stride = std::max<Eigen::Index>(1, trajectory.t.size() / 1000);
    for (Eigen::Index row = 0; row < trajectory.t.size(); row += stride)
      line.points.push_back(direction(trajectory.q.row(row).transpose()));
    line.colour = colour;
    line.width_px = 3.0;
    scene.lines.push_back(std::move(line));
  };
  add("planned", plan.plan.trajectory, report::palette_colour(0));
  add("baseline", plan.baseline.trajectory, report::colour_from_hex(report::kGrey));
  report::PointLayer stops;
  stops.name = "still poses";
  for (Eigen::Index k = 0; k < plan.poses.rows(); ++k)
    stops.points.push_back(direction(plan.poses.row(k).transpose()));
  if (!stops.points.empty()) scene.points.push_back(std::move(stops));
  scene.frames.push_back({"sensor", math::Pose(), std::nullopt, 0.5});
  scene.caption = "The direction of gravity in the sensor's axes.";
  return scene;
}

// 95 % regions of the centre of mass, magnified, in the expected object.
report::Scene3d com_regions(const Excitation& plan, const ExcitationOptions& options) {
  report::Scene3d scene;
  const double side = options.object.size / std::sqrt(3.0);
  constexpr double kRadius95 = 2.7955;  // square root of the 95 % point of chi-squared with 3 freedoms
  double longest = 0.0;
  const auto covariance_of = [&](const MotionWorth& worth) {
    return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(worth.std.com_covariance);
  };
  for (const MotionWorth* worth : {&plan.plan, &plan.baseline}) {
    if (worth->std.com.allFinite())
      longest = std::max(longest, kRadius95 * std::sqrt(covariance_of(*worth).eigenvalues()[2]));
  }
  const double magnified = longest > 0.0 ? std::pow(10.0, std::floor(std::log10(0.5 * side / longest))) : 1.0;
  const auto add = [&](const char* name, const MotionWorth& worth, const report::Colour& colour,
                       double opacity) {
    if (!worth.std.com.allFinite()) return;
    const auto solver = covariance_of(worth);
    report::SceneBody body;
    body.name = name;
    body.mesh_B = geometry::make_icosphere(1.0, 3);
    const Eigen::Matrix3d stretch = magnified * kRadius95 * solver.eigenvectors() *
                                    solver.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal() *
                                    solver.eigenvectors().transpose();
    for (Eigen::Vector3d& vertex : body.mesh_B.vertices) vertex = stretch * vertex;
    body.colour = colour;
    body.opacity = opacity;
    scene.add_body(std::move(body));
  };
  add("centre of mass, planned", plan.plan, report::palette_colour(0), 1.0);
  add("centre of mass, baseline", plan.baseline, report::colour_from_hex(report::kGrey), 0.4);
  report::SceneBody cube;
  cube.name = "expected object";
  cube.mesh_B = geometry::make_box(Eigen::Vector3d::Constant(side));
  cube.opacity = 0.15;
  scene.add_body(std::move(cube));
  scene.caption = "Where the centre of mass will be known to lie (95 %), drawn " +
                  math::number_text(magnified) + " times as large.";
  return scene;
}

report::Table deviation_table(const Excitation& plan) {
  report::Table table;
  table.caption = "Predicted standard deviations";
  table.columns = {{"parameter", "", 4, ""},
                   {"unit", "", 4, ""},
                   {"planned", "", 3, ""},
                   {"baseline", "", 3, ""},
                   {"gain", "", 3, "baseline over planned"}};
  const auto row = [&](const std::string& name, const char* unit, double planned, double baseline) {
    table.rows.push_back({name, std::string(unit), planned, baseline, baseline / planned});
  };
  const PredictedDeviation &a = plan.plan.std, &b = plan.baseline.std;
  row("mass", "kg", a.mass, b.mass);
  for (int i = 0; i < 3; ++i) row(std::string("centre of mass ") + "xyz"[i], "m", a.com[i], b.com[i]);
  const char* const names[] = {"xx", "xy", "xz", "yy", "yz", "zz"};
  for (int i = 0; i < 6 && plan.stills.empty(); ++i)
    row(std::string("inertia ") + names[i], "kg m²", a.inertia[i], b.inertia[i]);
  row("condition number", "", plan.plan.condition, plan.baseline.condition);
  return table;
}

report::Table limit_table(const LimitReport& limits) {
  report::Table table;
  table.caption = "How close the motion comes to its limits, on a dense grid";
  table.columns = {{"limit of", "", 4, ""}, {"unit", "", 4, ""},   {"value", "", 4, ""},
                   {"limit", "", 4, ""},    {"margin", "", 3, ""}, {"at", "s", 3, ""}};
  const auto row = [&](const LimitUse& use) {
    table.rows.push_back({use.of, use.unit, use.value, use.limit, use.margin, use.t});
  };
  row(limits.tool_speed);
  if (limits.room) row(*limits.room);
  for (const auto* uses : {&limits.position, &limits.speed, &limits.acceleration}) {
    for (const LimitUse& use : *uses) row(use);
  }
  return table;
}

std::string verdict(const Excitation& plan) {
  const double inertia = plan.baseline.std.inertia.norm() / plan.plan.std.inertia.norm();
  const double com = plan.baseline.std.com.norm() / plan.plan.std.com.norm();
  std::string text = "In " + math::number_text(plan.motion.duration, 3) + " s at no more than " +
                     math::number_text(plan.plan.limits.tool_speed.value, 3) + " m/s: the mass to " +
                     math::number_text(1e3 * plan.plan.std.mass, 2) + " g, the centre of mass to " +
                     math::number_text(1e3 * plan.plan.std.com.norm() / std::sqrt(3.0), 2) + " mm";
  if (!std::isfinite(com)) return text + " (undetermined by the baseline)";
  text += std::isfinite(inertia)
              ? ", the inertia " + math::number_text(inertia, 2) + " times as well as the baseline"
              : ", " + math::number_text(com, 2) + " times as well as the baseline";
  return text + ".";
}

}  // namespace

report::Page excitation_page(const model::Scene& scene, const model::JointChain& chain,
                             const Excitation& plan, const ExcitationOptions& options) {
  report::Page page("Which motion determines most?");
  page.set_subtitle(scene.name + ", sensor on '" + chain.link_name + "'");
  if (plan.status != ExcitationStatus::ok) {
    const std::string problems = model::problem_lines(plan.problems, "- ");
    page.set_verdict(report::Verdict::bad, "No motion was found.");
    return page.add_text(problems);
  }
  page.set_verdict(report::Verdict::good, verdict(plan));
  const report::SceneIndex film = page.add(moving_arm(scene, chain, plan, options));
  page.add(joint_plot(chain, plan, film), report::Width::half);
  page.add(speed_plot(chain, plan, options, film), report::Width::half);
  page.add_heading("What it will determine");
  page.add(
      report::Pictures{{{"Predicted standard deviations; shorter is better.", deviation_bars_svg(plan)}}},
      report::Width::half);
  page.add(deviation_table(plan), report::Width::half);
  page.add(com_regions(plan, options), report::Width::half);
  page.add(gravity_sphere(chain, plan), report::Width::half);
  page.add_text("For an object of " + math::number_text(options.object.mass) + " kg in a ball of " +
                math::number_text(options.object.size) + " m, with white noise of " +
                math::number_text(options.noise.force) + " N and " + math::number_text(options.noise.torque) +
                " N m on each of " + std::to_string(plan.plan.trajectory.t.size()) + " samples" +
                (options.noise.has_bias ? " and an unknown bias of the sensor" : "") +
                "; accelerations taken as exact. The baseline is the published motion: the last three joints "
                "on sinusoids of 45°, "
                "as fast as the same limits allow.");
  page.add_heading("Limits");
  page.add(limit_table(plan.plan.limits));
  std::string notes = "Collisions of the arm with itself and with the scene are not checked.\n\n";
  for (const std::string& note : plan.notes) notes += "- " + note + "\n";
  page.add_text(notes);
  page.add(report::Downloads{
      {{"The trajectory (CSV)", "trajectory.csv", "text/csv", plan.plan.trajectory.csv(plan.joints)}}});
  return page;
}

}  // namespace prehend::inertia
