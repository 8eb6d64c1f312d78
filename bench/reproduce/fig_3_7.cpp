// Nadeau 2026, figure 3.7: inertia error over time at five speeds, moderate noise.
//
// Ours takes the first seconds of a recording that was smoothed as a whole.
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "modular_trials.h"
#include "reproduction.h"
#include <prehend/math/progress.h>
#include <prehend/model/json_writer.h>

namespace prehend::reproduce {

Reproduction figure_3_7(const ReproduceOptions& options) {
  options.validate();
  constexpr std::array<double, 7> kTimes{0.5, 1.0, 1.5, 2.5, 4.0, 6.0, 10.0};  // [s]
  Reproduction result;
  result.page = report::Page("How soon is an object known?");
  result.page.set_subtitle("Nadeau 2026, figure 3.7, and here");
  result.page.add_text("Mean over eight weight configurations, moderate noise.");
  const std::vector<ModularObject> objects = modular_objects();
  model::JsonWriter json;
  json.object().field("id", "fig-3.7").field("runs", figure_runs(options)).key("results").array();
  char line[200];
  math::Progress progress("identification", kWristSpeeds.size() * objects.size());
  for (std::size_t s = 0; s < kWristSpeeds.size(); ++s) {
    std::vector<std::array<ErrorMeans, kTimes.size()>> means(figure_methods().size());
    for (std::size_t k = 0; k < objects.size(); ++k, progress.advance())
      for (int run = 0; run < figure_runs(options); ++run) {
        const math::RandomStream stream =
            math::RandomStream(options.seed, 100 + s).split(k).split(static_cast<std::uint64_t>(run));
        const WristTrial trial = wrist_trial(objects[k], {.speed = kWristSpeeds[s], .smooth = true}, stream);
        for (std::size_t i = 0; i < means.size(); ++i)
          for (std::size_t t = 0; t < kTimes.size(); ++t)
            means[i][t].add(figure_estimate(figure_methods()[i].method, trial, objects[k], kTimes[t]),
                            objects[k].truth);
      }
    report::Plot plot;
    std::snprintf(line, sizeof line, "%.2f m/s (%.1f rad/s)", kTipSpeeds[s], kWristSpeeds[s]);
    plot.title = line;
    plot.kind = report::Plot::Kind::xy;
    plot.y_label = "inertia error";
    plot.y_unit = "%";
    plot.logarithmic_y = true;
    plot.x.assign(kTimes.begin(), kTimes.end());
    result.text += plot.title + ": inertia error [%] after 0.5, 1, 1.5, 2.5, 4, 6, 10 s\n";
    for (std::size_t i = 0; i < means.size(); ++i) {
      report::Series series{figure_methods()[i].name, {}, {}, report::Series::Style::line_and_points, {}};
      std::snprintf(line, sizeof line, "  %-12s", figure_methods()[i].name);
      result.text += line;
      for (std::size_t t = 0; t < kTimes.size(); ++t) {
        series.y.push_back(means[i][t].inertia());
        std::snprintf(line, sizeof line, " %9.3g", series.y.back());
        result.text += line;
        json.object().field("speed_mps", kTipSpeeds[s]).field("time_s", kTimes[t]);
        json.field("method", figure_methods()[i].name).field("inertia_percent", means[i][t].inertia());
        json.field("com_percent", means[i][t].com()).field("mass_percent", means[i][t].mass()).end();
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
