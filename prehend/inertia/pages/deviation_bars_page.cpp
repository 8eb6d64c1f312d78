#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <prehend/inertia/pages.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

struct Bar {
  std::string name, unit;
  double planned, baseline;
};

std::string format(const char* pattern, double a, double b, double c, double d) {
  char text[200];
  std::snprintf(text, sizeof text, pattern, a, b, c, d);
  return text;
}

}  // namespace

std::string deviation_bars_svg(const Excitation& plan) {
  const PredictedDeviation &a = plan.plan.std, &b = plan.baseline.std;
  std::vector<Bar> bars{{"mass", "kg", a.mass, b.mass}};
  for (int i = 0; i < 3; ++i) bars.push_back({std::string("com ") + "xyz"[i], "m", a.com[i], b.com[i]});
  const char* const names[] = {"xx", "xy", "xz", "yy", "yz", "zz"};
  for (int i = 0; i < 6 && plan.stills.empty(); ++i) {
    bars.push_back({std::string("I ") + names[i], "kg m²", a.inertia[i], b.inertia[i]});
  }
  // One decade is as wide everywhere; the shortest bar begins half a decade before its end.
  double low = 1e300, high = 0.0;
  for (const Bar& bar : bars) {
    for (const double value : {bar.planned, bar.baseline}) {
      if (!std::isfinite(value) || value <= 0.0) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const double from = std::floor(std::log10(low) - 0.5), to = std::ceil(std::log10(high) + 1e-9);
  const double left = 90.0, width = 420.0, step = 44.0,
               height = 58.0 + step * static_cast<double>(bars.size());
  const auto x = [&](double value) { return left + width * (std::log10(value) - from) / (to - from); };
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 660 " +
                    math::number_text(height) +
                    "\" font-family=\"sans-serif\" font-size=\"14\" fill=\"#333\">\n";
  svg += format("<rect width=\"660\" height=\"%.0f\" fill=\"#fff\"/>\n", height, 0, 0, 0);
  for (double decade = from; decade <= to + 0.5; decade += 1.0) {
    const double at = x(std::pow(10.0, decade));
    svg += format("<path d=\"M %.1f 26 V %.1f\" stroke=\"#ddd\"/>", at, height - 26.0, 0, 0);
    svg += format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"11\">1e%.0f</text>\n", at,
                  height - 10.0, decade, 0);
  }
  svg +=
      "<rect x=\"90\" y=\"4\" width=\"12\" height=\"12\" fill=\"#2f6fd6\"/><text x=\"107\" "
      "y=\"15\">planned</text>"
      "<rect x=\"190\" y=\"4\" width=\"12\" height=\"12\" fill=\"#b9c1cc\"/><text x=\"207\" "
      "y=\"15\">baseline</text>\n";
  double y = 32.0;
  for (const Bar& bar : bars) {
    svg +=
        format("<text x=\"82\" y=\"%.1f\" text-anchor=\"end\">", y + 20.0, 0, 0, 0) + bar.name + "</text>\n";
    double line = y;
    for (const auto& [value, colour] :
         {std::pair(bar.planned, "#2f6fd6"), std::pair(bar.baseline, "#b9c1cc")}) {
      const bool is_determined = std::isfinite(value) && value > 0.0;
      const double end = is_determined ? x(value) : left + width;
      svg += format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"15\" fill=\"", left, line,
                    end - left, 0) +
             colour + (is_determined ? "\"/>" : "\" fill-opacity=\"0.35\"/>");
      svg += format("<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\">", end + 6.0, line + 12.0, 0, 0) +
             (is_determined ? math::number_text(value, 2) + " " + bar.unit : std::string("undetermined")) +
             "</text>\n";
      line += 17.0;
    }
    y += step;
  }
  return svg + "</svg>\n";
}

}  // namespace prehend::inertia
