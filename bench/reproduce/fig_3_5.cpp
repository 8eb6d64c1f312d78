// Nadeau 2026, figure 3.5: what the hyperparameter c1 of point masses does, by speed and time; moderate noise.
//
// In the printed form (squared norms, lambda = 0.1). The source's four values of c1 are not in its text but for 300, which
// it chose; here they go by tens about it, beside ours, which takes c1 from the noise of the data.
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "modular_trials.h"
#include "reproduction.h"
#include <prehend/math/progress.h>
#include <prehend/model/json_writer.h>

namespace prehend::reproduce {

Reproduction figure_3_5(const ReproduceOptions& options) {
  options.validate();
  constexpr std::array<double, 4> kC1{3.0, 30.0, 300.0, 3000.0};
  constexpr std::array<double, 3> kTimes{1.0, 3.0, 10.0};  // [s]
  Reproduction result;
  result.page = report::Page("When should the full model take over?");
  result.page.set_subtitle("Nadeau 2026, figure 3.5, and here");
  result.page.add_text(
      "Inertia error of point masses, mean over eight weight configurations, moderate noise.");
  const std::vector<ModularObject> objects = modular_objects();
  struct Form {
    std::string name;
    inertia::EstimatorOptions options;
  };
  std::vector<Form> forms;
  for (const double c1 : kC1) {
    Form& form = forms.emplace_back();
    form.name = "c1 = " + std::to_string(static_cast<int>(c1));
    form.options.pmd.form = inertia::PointMassForm::printed_squared;
    form.options.pmd.c1 = c1;
  }
  forms.push_back({"c1 from the data, rows by noise", {}});
  model::JsonWriter json;
  json.object().field("id", "fig-3.5").field("runs", figure_runs(options)).key("results").array();
  char line[200];
  math::Progress progress("point masses",
                          kTimes.size() * forms.size() * kWristSpeeds.size() * objects.size());
  for (std::size_t t = 0; t < kTimes.size(); ++t) {
    report::Plot plot;
    std::snprintf(line, sizeof line, "after %.0f s", kTimes[t]);
    plot.title = line;
    plot.kind = report::Plot::Kind::xy;
    plot.x_label = "speed of the sensor";
    plot.x_unit = "m/s";
    plot.y_label = "inertia error";
    plot.y_unit = "%";
    plot.x.assign(kTipSpeeds.begin(), kTipSpeeds.end());
    result.text += plot.title + ": inertia error [%] at 0.14, 0.20, 0.27, 0.41, 0.54 m/s\n";
    for (const Form& form : forms) {
      report::Series series{form.name, {}, {}, report::Series::Style::line_and_points, {}};
      std::snprintf(line, sizeof line, "  %-32s", form.name.c_str());
      result.text += line;
      for (std::size_t s = 0; s < kWristSpeeds.size(); ++s) {
        ErrorMeans means;
        for (std::size_t k = 0; k < objects.size(); ++k, progress.advance())
          for (int run = 0; run < figure_runs(options); ++run) {
            const math::RandomStream stream =
                math::RandomStream(options.seed, 200 + s).split(k).split(static_cast<std::uint64_t>(run));
            const WristTrial trial =
                wrist_trial(objects[k], {.speed = kWristSpeeds[s], .duration = kTimes[t]}, stream);
            means.add(inertia::estimate(inertia::Method::pmd, trial.raw, &objects[k].shape, form.options),
                      objects[k].truth);
          }
        series.y.push_back(means.inertia());
        std::snprintf(line, sizeof line, " %8.3g", series.y.back());
        result.text += line;
        json.object().field("time_s", kTimes[t]).field("speed_mps", kTipSpeeds[s]).field("c1", form.name);
        json.field("inertia_percent", means.inertia()).field("com_percent", means.com()).end();
      }
      result.text += "\n";
      plot.series.push_back(std::move(series));
    }
    result.page.add(std::move(plot), report::Width::half);
  }
  result.json = json.end().end().text();
  return result;
}

}  // namespace prehend::reproduce
