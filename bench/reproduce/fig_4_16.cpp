// Source N, figure 4.16: how fast may a tray with a slant and a cube, or a cube and a block, be driven?
//
// Scenes: slant_scene() in generated/benchmark_scenes.h, with the limits by hand. 100 horizontal directions by the exact
// method and by linear programs with 4 and 8 sides (20 points per interface, as in the source); every fifth direction
// by simulation.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <generated/benchmark_scenes.h>
#include <generated/simulated_transport.h>

#include "reproduction.h"
#include <prehend/math/angles.h>
#include <prehend/model/json_writer.h>
#include <prehend/stability/methods/linear_limit.h>
#include <prehend/stability/transport.h>

namespace prehend::reproduce {
namespace {

using namespace stability;
constexpr int kDirections = 100, kSimulatedEvery = 5;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Curves {
  std::vector<Eigen::Vector3d> directions;
  std::vector<double> exact, lp4, lp8, simulated;  // [m/s^2]; simulated: NaN where it was not asked
  std::vector<std::string> modes;
  double exact_s{0}, lp4_s{0}, lp8_s{0}, simulated_s{0};  // all directions; simulated: those that were asked
};

std::vector<double> linear(const model::Scene& scene, int sides, std::uint64_t seed,
                           const std::vector<Eigen::Vector3d>& directions) {
  ContactSystemOptions options;
  options.points = ContactPoints::sampled;
  options.seed = seed;
  const ContactSystem system = build_contact_system(scene, options);
  LinearLimit limit(system, {.sides = sides});
  std::vector<double> limits;
  for (const Eigen::Vector3d& d : directions)
    limits.push_back(limit.ask_warm(acceleration_load(system, d)).limit);
  return limits;
}

Curves compute(const model::Scene& scene, const ReproduceOptions& options) {
  Curves curves;
  curves.directions = plane_directions(Eigen::Vector3d::UnitZ(), kDirections);
  TransportOptions transport_options;
  transport_options.directions = kDirections;
  transport_options.limit.keep_proofs = false;
  transport_options.limit.threads = options.threads;
  // The exact method takes about a millisecond: the median of several, as the machine may be busy.
  std::vector<double> times;
  for (int run = 0; run < options.runs; ++run) {
    const double begin = now();
    transport(scene, transport_options);
    times.push_back(now() - begin);
  }
  std::nth_element(times.begin(), times.begin() + options.runs / 2, times.end());
  curves.exact_s = times[static_cast<std::size_t>(options.runs / 2)];
  double start = now();
  const auto lap = [&start](double& seconds) {
    const double end = now();
    seconds = end - start;
    start = end;
  };
  for (const TransportAnswer& answer : transport(scene, transport_options).answers) {
    curves.exact.push_back(answer.limit.robustness);
    curves.modes.push_back(to_string(answer.limit.mode));
  }
  start = now();
  curves.lp4 = linear(scene, 4, options.seed, curves.directions);
  lap(curves.lp4_s);
  curves.lp8 = linear(scene, 8, options.seed, curves.directions);
  lap(curves.lp8_s);
  for (int i = 0; i < kDirections; ++i) {
    const Eigen::Vector3d& d = curves.directions[static_cast<std::size_t>(i)];
    curves.simulated.push_back(i % kSimulatedEvery == 0 ? simulated_transport_limit(scene, d)
                                                        : PushAnswer::kUnknown);
  }
  lap(curves.simulated_s);
  return curves;
}

struct Difference {
  double mean{0.0}, worst{0.0};
};
Difference difference(const std::vector<double>& values, const std::vector<double>& exact) {
  Difference result;
  int count = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (!std::isfinite(values[i]) || !std::isfinite(exact[i])) continue;
    const double error = std::abs(values[i] / exact[i] - 1.0);
    result.mean += error;
    result.worst = std::max(result.worst, error);
    ++count;
  }
  result.mean /= std::max(1, count);
  return result;
}

report::Plot polar(const std::string& title, const Curves& curves) {
  report::Plot plot;
  plot.title = title;
  plot.kind = report::Plot::Kind::polar;
  plot.x_label = "direction";
  plot.x_unit = "rad";
  plot.y_label = "largest acceleration";
  plot.y_unit = "m/s²";
  for (int i = 0; i < kDirections; ++i) plot.x.push_back(2 * math::kPi * i / kDirections);
  using Style = report::Series::Style;
  plot.series = {{"exact", {}, curves.exact, Style::line, {}},
                 {"lp8", {}, curves.lp8, Style::dashed, {}},
                 {"lp4", {}, curves.lp4, Style::dashed, {}},
                 {"simulation", {}, curves.simulated, Style::points, {}}};
  return plot;
}

// The figure's scene in the four directions of the axes, with what was derived by hand and what the thesis prints.
struct Axis {
  const char* name;
  std::size_t at;  // of kDirections, from +x, counter-clockwise
  double by_hand;  // [m/s^2]; NaN: not derived
  const char* printed;
};

std::vector<Axis> axes_of(int scene) {
  const double g = 9.81;
  const std::size_t plus_y = kDirections / 4, minus_x = kDirections / 2, minus_y = 3 * kDirections / 4;
  const double slip = 1.2 * g, none = PushAnswer::kUnknown;
  if (scene == 0)
    return {{"+y", plus_y, g / 3, "3.27"},
            {"-y", minus_y, slip, "11.8"},
            {"+x", 0, none, "-"},
            {"-x", minus_x, none, "-"}};
  return {{"+y", plus_y, g * std::tan(std::atan(1.2) - std::atan(0.5)), "about 30 % more than one"},
          {"-y", minus_y, slip, "-"},
          {"+x", 0, none, "less than one"},
          {"-x", minus_x, none, "-"}};
}

void write_axes(const Curves& curves, const std::vector<Axis>& axes, std::string& text,
                model::JsonWriter& json) {
  char line[300];
  text += "         exact     mode  by hand      lp8      lp4  simulation   printed\n";
  json.key("axes").array();
  for (const Axis& axis : axes) {
    char hand[16] = "-";
    if (std::isfinite(axis.by_hand)) std::snprintf(hand, sizeof hand, "%.3f", axis.by_hand);
    std::snprintf(line, sizeof line, "  %s %10.3f %8s %8s %8.3f %8.3f %11.3f   %s\n", axis.name,
                  curves.exact[axis.at], curves.modes[axis.at].c_str(), hand, curves.lp8[axis.at],
                  curves.lp4[axis.at], curves.simulated[axis.at], axis.printed);
    text += line;
    json.object()
        .field("direction", axis.name)
        .field("exact_mps2", curves.exact[axis.at])
        .field("by_hand_mps2", axis.by_hand)
        .field("mode", curves.modes[axis.at])
        .field("lp8_mps2", curves.lp8[axis.at])
        .field("lp4_mps2", curves.lp4[axis.at])
        .field("simulated_mps2", curves.simulated[axis.at])
        .field("source", axis.printed)
        .end();
  }
  json.end();
}

void write_times(const Curves& curves, const char* printed, std::string& text, model::JsonWriter& json) {
  const Difference d4 = difference(curves.lp4, curves.exact), d8 = difference(curves.lp8, curves.exact);
  const Difference ds = difference(curves.simulated, curves.exact);
  const int simulated = kDirections / kSimulatedEvery;
  char line[300];
  std::snprintf(
      line, sizeof line,
      "  100 directions: exact %.2f ms, lp8 %.1f ms, lp4 %.1f ms; simulation %.2f s for %d of them%s\n",
      1e3 * curves.exact_s, 1e3 * curves.lp8_s, 1e3 * curves.lp4_s, curves.simulated_s, simulated, printed);
  text += line;
  std::snprintf(
      line, sizeof line,
      "  off exact, mean and largest: lp8 %.1f %.1f %%, lp4 %.1f %.1f %%, simulation %.1f %.1f %%\n\n",
      100 * d8.mean, 100 * d8.worst, 100 * d4.mean, 100 * d4.worst, 100 * ds.mean, 100 * ds.worst);
  text += line;
  json.field("exact_s", curves.exact_s).field("lp8_s", curves.lp8_s).field("lp4_s", curves.lp4_s);
  json.field("simulated_s", curves.simulated_s).field("simulated_directions", simulated);
  json.field("simulation_mean_difference_percent", 100 * ds.mean);
  json.field("simulation_max_difference_percent", 100 * ds.worst);
  json.field("exact_mps2", curves.exact).field("simulated_mps2", curves.simulated);
}

}  // namespace

Reproduction figure_4_16(const ReproduceOptions& options) {
  options.validate();
  Reproduction result;
  result.page = report::Page("How fast may I drive?");
  result.page.set_subtitle("Nadeau 2026, figure 4.16, and here");
  model::JsonWriter json;
  json.object().field("id", "fig-4.16").key("scenes").array();
  Curves both[2];
  for (int s = 0; s < 2; ++s) {
    const model::Scene scene = slant_scene(s + 1);
    Curves& curves = both[s] = compute(scene, options);
    result.text += scene.name + ": largest acceleration of the tray [m/s^2]\n";
    json.object().field("scene", scene.name);
    write_axes(curves, axes_of(s), result.text, json);
    write_times(curves, s == 1 ? " (printed: 630 ms, 3.6 s, -, 38 s for 100)" : "", result.text, json);
    json.end();
    result.page.add(polar(scene.name, curves), report::Width::half);
  }
  const double gain = 100 * (both[1].exact[kDirections / 4] / both[0].exact[kDirections / 4] - 1);
  char line[300];
  std::snprintf(
      line, sizeof line,
      "the second block: %+.1f %% along +y (printed: about +30 %%), %+.1f %% along +x (printed: less)\n",
      gain, 100 * (both[1].exact[0] / both[0].exact[0] - 1));
  result.text += line;
  result.page.set_verdict(report::Verdict::note, line);
  result.page.add_text(
      "Largest acceleration of the tray in every horizontal direction. Simulation accelerates the tray until "
      "a point of a body is faster than 0.05 m/s.");
  json.end().field("gain_plus_y_percent", gain).end();
  result.json = json.text();
  return result;
}

}  // namespace prehend::reproduce
