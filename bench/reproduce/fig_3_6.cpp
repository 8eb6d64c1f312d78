// Nadeau 2026, figure 3.6: inertia error after ten seconds, by speed, for three levels of noise.
//
// The source prints curves, no numbers; here they are, about the sensor's origin as there.
#include <cstdio>
#include <string>
#include <vector>

#include <generated/generated_motion.h>

#include "modular_trials.h"
#include "reproduction.h"
#include <prehend/math/progress.h>
#include <prehend/model/json_writer.h>

namespace prehend::reproduce {

Reproduction figure_3_6(const ReproduceOptions& options) {
  options.validate();
  Reproduction result;
  result.page = report::Page("How much do speed and noise matter?");
  result.page.set_subtitle("Nadeau 2026, figure 3.6, and here");
  result.page.add_text(
      "Mean over eight weight configurations, 10 s at 100 Hz. Cobots stay below 0.25 m/s (ISO 10218-1).");
  const std::vector<ModularObject> objects = modular_objects();
  model::JsonWriter json;
  json.object().field("id", "fig-3.6").field("runs", figure_runs(options)).key("results").array();
  char line[200];
  math::Progress progress("identification", 3 * kWristSpeeds.size() * objects.size());
  for (std::size_t level = 1; level < 4; ++level) {
    const std::string name = inertia::source_noise_levels()[level].name;
    std::vector<std::vector<double>> curves(figure_methods().size());
    for (std::size_t s = 0; s < kWristSpeeds.size(); ++s) {
      std::vector<ErrorMeans> means(curves.size());
      for (std::size_t k = 0; k < objects.size(); ++k, progress.advance())
        for (int run = 0; run < figure_runs(options); ++run) {
          const math::RandomStream stream = math::RandomStream(options.seed, 10 * level + s)
                                                .split(k)
                                                .split(static_cast<std::uint64_t>(run));
          const WristTrial trial =
              wrist_trial(objects[k], {.speed = kWristSpeeds[s], .noise = level, .smooth = true}, stream);
          for (std::size_t i = 0; i < means.size(); ++i)
            means[i].add(figure_estimate(figure_methods()[i].method, trial, objects[k], 10.0),
                         objects[k].truth);
        }
      for (std::size_t i = 0; i < means.size(); ++i) {
        curves[i].push_back(means[i].inertia());
        json.object()
            .field("noise", name)
            .field("speed_mps", kTipSpeeds[s])
            .field("method", figure_methods()[i].name);
        json.field("inertia_percent", means[i].inertia()).field("com_percent", means[i].com());
        json.field("mass_percent", means[i].mass()).end();
      }
    }
    report::Plot plot;
    plot.title = name + " noise";
    plot.kind = report::Plot::Kind::xy;
    plot.x_label = "speed of the sensor";
    plot.x_unit = "m/s";
    plot.y_label = "inertia error";
    plot.y_unit = "%";
    plot.logarithmic_y = true;
    plot.x.assign(kTipSpeeds.begin(), kTipSpeeds.end());
    result.text += name + " noise: inertia error [%] at 0.14, 0.20, 0.27, 0.41, 0.54 m/s\n";
    for (std::size_t i = 0; i < curves.size(); ++i) {
      plot.series.push_back(
          {figure_methods()[i].name, {}, curves[i], report::Series::Style::line_and_points, {}});
      std::snprintf(line, sizeof line, "  %-12s", figure_methods()[i].name);
      result.text += line;
      for (const double error : curves[i]) {
        std::snprintf(line, sizeof line, " %9.3g", error);
        result.text += line;
      }
      result.text += "\n";
    }
    result.page.add(std::move(plot));
  }
  result.json = json.end().end().text();
  return result;
}

}  // namespace prehend::reproduce
