#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <prehend/inertia/methods/fit_report.h>
#include <prehend/inertia/pages.h>
#include <prehend/math/number_text.h>
#include <prehend/model/text_table.h>

namespace prehend::inertia {
namespace {

using math::number_text;

constexpr std::array<const char*, 3> kAxes{"x", "y", "z"};

// As many digits as the standard deviation leaves meaning, and not more than six decimals.
std::string rounded(double value, double deviation) {
  const int decimals =
      deviation > 0.0 ? static_cast<int>(std::clamp(1.0 - std::floor(std::log10(deviation)), 0.0, 6.0)) : 6;
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string in_words(const IdentifiedBody& body) {
  const Estimate& estimate = body.estimate;
  const Eigen::Vector3d com = 1000.0 * (body.inertia_O ? body.inertia_O->com : estimate.inertia_S.com);
  const double spread = 1000.0 * estimate.std_com().maxCoeff();
  return "It weighs " + rounded(estimate.inertia_S.mass, estimate.std_mass()) + " kg (± " +
         number_text(estimate.std_mass(), 2) + "), with its centre of mass at (" + rounded(com.x(), spread) +
         ", " + rounded(com.y(), spread) + ", " + rounded(com.z(), spread) + ") mm (± " +
         number_text(spread, 2) + ") in the " + (body.inertia_O ? "object's" : "sensor's") + " frame.";
}

// The frame of everything on the page: the object's where its pose is known, as in the headline and in the scene.
bool in_object(const Identification& result) { return result.samples.X_SO.has_value(); }

report::Table answers(const Identification& result) {
  report::Table table;
  table.caption = std::string("What each method says, in the ") +
                  (in_object(result) ? "object's" : "sensor's") +
                  " frame; moments of inertia about the centre of mass";
  table.columns = {{"method", "", 4, ""},
                   {"mass", "kg", 5, ""},
                   {"±", "kg", 2, "one standard deviation"},
                   {"com x", "mm", 4, ""},
                   {"com y", "mm", 4, ""},
                   {"com z", "mm", 4, ""},
                   {"± largest", "mm", 2, ""},
                   {"I xx", "g m²", 4, ""},
                   {"I yy", "g m²", 4, ""},
                   {"I zz", "g m²", 4, ""},
                   {"body", "", 4, "whether a rigid body can have these parameters"},
                   {"residual force", "N", 3, ""},
                   {"residual torque", "N m", 3, ""},
                   {"time", "ms", 3, ""}};
  for (const IdentifiedBody& body : result.results) {
    const Estimate& e = body.estimate;
    if (e.status == Status::failed) {
      std::vector<report::Cell> row(table.columns.size());
      row[0] = std::string(to_string(e.method));
      row[10] = std::string("no answer");
      table.rows.push_back(std::move(row));
      continue;
    }
    const math::SpatialInertia& shown = body.inertia_O ? *body.inertia_O : e.inertia_S;
    const Eigen::Matrix3d I = 1000.0 * shown.I_com;
    const double spread = 1000.0 * e.std_com().maxCoeff();
    const Eigen::Vector3d com = without_rounding(1000.0 * shown.com, spread);
    table.rows.push_back({std::string(to_string(e.method)), e.inertia_S.mass, e.std_mass(), com.x(), com.y(),
                          com.z(), spread, I(0, 0), I(1, 1), I(2, 2),
                          std::string(e.consistency.is_consistent() ? "consistent" : "impossible"),
                          e.residual_force, e.residual_torque, body.time_ms});
  }
  return table;
}

// Measured and predicted, one axis of force or torque.
report::Plot wrench_plot(const Identification& result, const IdentifiedBody& body, int row,
                         report::SceneIndex scene) {
  const bool is_force = row >= 3;
  report::Plot plot;
  plot.title = std::string(is_force ? "Force " : "Torque ") + kAxes[row % 3];
  plot.y_label = is_force ? "force" : "torque";
  plot.y_unit = is_force ? "N" : "N m";
  plot.scene = scene;
  report::Series measured{
      "measured", {}, {}, report::Series::Style::line, report::colour_from_hex(report::kGrey)};
  report::Series predicted{"predicted", {}, {}, report::Series::Style::line, std::nullopt};
  const double start = result.samples.samples.front().t;
  for (const Sample& sample : result.samples.samples) {
    plot.x.push_back(sample.t - start);
    measured.y.push_back(sample.wrench[row]);
    predicted.y.push_back(wrench_of(body.estimate.inertia_S, sample.motion)[row]);
  }
  plot.series = {std::move(measured), std::move(predicted)};
  return plot;
}

// The estimate while the recording came in, with two standard deviations on either side.
report::Plot curve_plot(const IdentifiedBody& body, const std::string& title, const std::string& unit,
                        double (*value)(const CurvePoint&), double (*spread)(const CurvePoint&)) {
  report::Plot plot;
  plot.title = title;
  plot.y_label = title;
  plot.y_unit = unit;
  report::Series middle{"estimate", {}, {}, report::Series::Style::line, std::nullopt};
  report::Series low{"95 %", {}, {}, report::Series::Style::dashed, report::colour_from_hex(report::kGrey)};
  report::Series high = low;
  high.name = "95 % (upper)";
  for (const CurvePoint& point : body.curve) {
    plot.x.push_back(point.t);
    middle.y.push_back(value(point));
    low.y.push_back(value(point) - 1.96 * spread(point));
    high.y.push_back(value(point) + 1.96 * spread(point));
  }
  plot.series = {std::move(middle), std::move(low), std::move(high)};
  return plot;
}

// The curve in the page's frame; deviations of the axes as if they were independent.
IdentifiedBody posed_curve(IdentifiedBody body, const math::Pose& X_OS) {
  const Eigen::Matrix3d square = X_OS.R().cwiseAbs2();
  for (CurvePoint& point : body.curve) {
    point.com = X_OS * point.com;
    point.std_com = (square * point.std_com.cwiseAbs2()).cwiseSqrt();
  }
  return body;
}

void add_curves(const Identification& result, const IdentifiedBody& of_sensor, report::Page& page) {
  if (of_sensor.curve.size() < 2) return;
  const IdentifiedBody body =
      in_object(result) ? posed_curve(of_sensor, result.samples.X_SO->inverse()) : of_sensor;
  page.add_heading(std::string("While the recording came in, in the ") +
                   (in_object(result) ? "object's" : "sensor's") + " frame");
  page.add(curve_plot(
               body, "Mass", "kg", [](const CurvePoint& p) { return p.mass; },
               [](const CurvePoint& p) { return p.std_mass; }),
           report::Width::half);
  page.add(curve_plot(
               body, "Centre of mass x", "mm", [](const CurvePoint& p) { return 1000.0 * p.com.x(); },
               [](const CurvePoint& p) { return 1000.0 * p.std_com.x(); }),
           report::Width::half);
  page.add(curve_plot(
               body, "Centre of mass y", "mm", [](const CurvePoint& p) { return 1000.0 * p.com.y(); },
               [](const CurvePoint& p) { return 1000.0 * p.std_com.y(); }),
           report::Width::half);
  page.add(curve_plot(
               body, "Centre of mass z", "mm", [](const CurvePoint& p) { return 1000.0 * p.com.z(); },
               [](const CurvePoint& p) { return 1000.0 * p.std_com.z(); }),
           report::Width::half);
}

void set_verdict(const Identification& result, const IdentifiedBody* best, report::Page& page) {
  if (best == nullptr) {
    page.set_verdict(report::Verdict::bad, result.problems.empty() ? "No answer." : result.problems.front());
  } else if (result.status == Status::ok && result.problems.empty()) {
    page.set_verdict(report::Verdict::good, in_words(*best));
  } else {
    page.set_verdict(report::Verdict::note,
                     in_words(*best) + (result.problems.empty() ? "" : " But: " + result.problems.front()));
  }
}

}  // namespace

report::Page identification_page(const model::WrenchLog& log, const Identification& result,
                                 const IdentificationView& view) {
  report::Page page("What does it weigh, and where?");
  page.set_subtitle(view.subtitle);
  const IdentifiedBody* best = result.headline();
  set_verdict(result, best, page);
  std::string sentences = model::problem_lines(result.problems, "- ");
  for (const IdentifiedBody& body : result.results)
    for (const std::string& note : body.estimate.notes)
      sentences += "- " + std::string(to_string(body.estimate.method)) + ": " + note + "\n";
  if (!sentences.empty()) page.add_text(sentences);
  if (best == nullptr) return page;
  const report::SceneIndex scene = page.add(identification_scene(log, result, view));
  page.add(answers(result));
  page.add_heading("The wrench in the sensor's axes, measured and as the body explains it");
  for (const int row : {3, 4, 5, 0, 1, 2})
    page.add(wrench_plot(result, *best, row, scene), report::Width::half);
  add_curves(result, *best, page);
  return page;
}

}  // namespace prehend::inertia
