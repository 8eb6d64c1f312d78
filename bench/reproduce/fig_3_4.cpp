// Nadeau 2026, figure 3.4: point masses by their density: accuracy (left) and time (right).
//
// The source's times grow with the number of measurements, because its rows are stacked; ours do so only while samples are
// taken in, the solve sees sums. Both are in the time shown, which is of this machine, in this run.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "modular_trials.h"
#include "reproduction.h"
#include <prehend/math/progress.h>
#include <prehend/model/json_writer.h>

namespace prehend::reproduce {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inertia::EstimatorOptions with_density(double per_cm3) {
  inertia::EstimatorOptions options;
  options.pmd.points.density = 1e6 * per_cm3;
  options.pmd.points.min_points = 1;
  options.pmd.points.max_points = 10000;
  options.pmd.points.keep_up_to = 0;
  return options;
}

report::Plot labelled_plot(const char* title, const char* x_label, const char* x_unit, const char* y_label,
                           const char* y_unit) {
  report::Plot plot;
  plot.title = title;
  plot.kind = report::Plot::Kind::xy;
  plot.x_label = x_label;
  plot.x_unit = x_unit;
  plot.y_label = y_label;
  plot.y_unit = y_unit;
  return plot;
}

}  // namespace

Reproduction figure_3_4(const ReproduceOptions& options) {
  options.validate();
  constexpr std::array<double, 6> kDensities{0.005, 0.01, 0.02, 0.04, 0.09, 0.2};  // [1/cm^3]
  constexpr std::array<double, 4> kTimes{1.5, 3.0, 6.0, 10.0};                     // [s] at 100 Hz
  Reproduction result;
  result.page = report::Page("How many point masses are enough?");
  result.page.set_subtitle("Nadeau 2026, figure 3.4, and here");
  const std::vector<ModularObject> objects = modular_objects();
  report::Plot accuracy = labelled_plot("accuracy", "point masses", "1/cm³", "error", "%");
  accuracy.x.assign(kDensities.begin(), kDensities.end());
  report::Series com{"centre of mass", {}, {}, report::Series::Style::line_and_points, {}}, inertia = com;
  inertia.name = "inertia";
  report::Plot time = labelled_plot("time", "measurements", "", "time", "µs");
  for (const double seconds : kTimes) time.x.push_back(100.0 * seconds);
  model::JsonWriter json;
  json.object().field("id", "fig-3.4").field("runs", figure_runs(options)).key("results").array();
  char line[200];
  result.text =
      "density [1/cm3]  points   com [%]  inertia [%]   time [us] after 150, 300, 600, 1000 samples\n";
  math::Progress progress("point masses", kDensities.size() * objects.size());
  for (const double density : kDensities) {
    const inertia::EstimatorOptions form = with_density(density);
    ErrorMeans means;
    std::array<double, kTimes.size()> microseconds{};
    std::size_t points = 0;
    for (std::size_t k = 0; k < objects.size(); ++k, progress.advance())
      for (int run = 0; run < figure_runs(options); ++run) {
        const math::RandomStream stream =
            math::RandomStream(options.seed, 300).split(k).split(static_cast<std::uint64_t>(run));
        const WristTrial trial = wrist_trial(objects[k], {.speed = 1.5}, stream);
        // The points are chosen once; only taking in samples and solving is timed.
        for (std::size_t t = 0; t < kTimes.size(); ++t) {
          const auto estimator = make_streaming_estimator(
              inertia::Method::pmd, {&objects[k].shape, trial.raw.X_SO, trial.raw.noise}, form);
          const auto count = std::min(trial.raw.samples.size(), static_cast<std::size_t>(100.0 * kTimes[t]));
          const double start = now();
          estimator->add_all(std::span(trial.raw.samples).first(count));
          const inertia::Estimate found = estimator->estimate();
          microseconds[t] +=
              1e6 * (now() - start) / static_cast<double>(objects.size()) / figure_runs(options);
          if (t + 1 < kTimes.size()) continue;
          means.add(found, objects[k].truth);
          points = found.masses.size();
        }
      }
    com.y.push_back(means.com());
    inertia.y.push_back(means.inertia());
    time.series.push_back({std::to_string(points) + " points",
                           {},
                           {microseconds.begin(), microseconds.end()},
                           report::Series::Style::line_and_points,
                           {}});
    std::snprintf(line, sizeof line, "%15.3f %7zu %9.3g %12.3g   ", density, points, means.com(),
                  means.inertia());
    result.text += line;
    json.object().field("density_per_cm3", density).field("points", points).field("com_percent", means.com());
    json.field("inertia_percent", means.inertia()).key("time_us").array();
    for (const double value : microseconds) {
      std::snprintf(line, sizeof line, " %.0f", value);
      result.text += line;
      json.value(value);
    }
    json.end().end();
    result.text += "\n";
  }
  accuracy.series = {com, inertia};
  result.page.add(std::move(accuracy), report::Width::half).add(std::move(time), report::Width::half);
  result.text += "Nadeau 2026: 0.04 points/cm3 (56 points) is enough; more cost time and gain nothing\n";
  result.json = json.end().end().text();
  return result;
}

}  // namespace prehend::reproduce
