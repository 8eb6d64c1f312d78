// Takamatsu 2004, figures 3.5 (seven grasps), 3.7 and 3.8 (initial guesses for a neighbouring contact relation).
//
// Figures 3.7 and 3.8: a block's edge lies on the edge x = z = 0 of a fixed block (faces x = 0 and z = 0, ends of the common line at y = +-1). How far
// is a vertex from the face z = 0 after the motion that shall keep it there, guessed to first and to second order? The screw
// printed for figure 3.8, (0,1,-1,0,0,0), carries the vertex that stays on the plane out over the edge; (0,-1,1,-1/2,0,0; 0,0,0,0,0,3/2) does what
// the text says. Figures of Nadeau 2026 have the same numbers: fig-3.5 and fig-3.7 give both.
#include <cmath>
#include <cstdio>

#include "reproduction.h"
#include <prehend/math/angles.h>
#include <prehend/model/json_writer.h>
#include <prehend/observation/grasp_stability.h>
#include <prehend/observation/pages.h>
#include <prehend/observation/screw_path.h>

namespace prehend::reproduce {
namespace {

using math::Vector6d;

struct Guess {
  const char* id;
  const char* title;
  const char* what;
  Vector6d first, second;
  Eigen::Vector3d vertex;
};

Vector6d six(double a, double b, double c, double d, double e, double f) {
  Vector6d s;
  s << a, b, c, d, e, f;
  return s;
}

// "grows with the power 2.000", or that there is none.
std::string power_text(double half, double whole) {
  if (std::abs(whole) < 1e-15) return "is zero to rounding";
  char text[60];
  std::snprintf(text, sizeof text, "grows with the power %.2f of the angle",
                std::log2(std::abs(whole / half)));
  return text;
}

// [m] Of the vertex above the face after guesses of first and second order, along the path of appendix C and along the exponential.
// `also`: another page that gets the plot.
Reproduction guess_figure(const Guess& guess, report::Page* also = nullptr) {
  Reproduction result;
  result.page = report::Page(guess.title);
  result.page.set_subtitle("Takamatsu 2004, chapter 3, and here");
  report::Plot plot;
  plot.title = "distance of the vertex from the face";
  plot.kind = report::Plot::Kind::xy;
  plot.x_label = "angle";
  plot.x_unit = "deg";
  plot.y_label = "distance";
  plot.y_unit = "m";
  report::Series first{"first order", {}, {}, report::Series::Style::line, {}},
      second{"second order, appendix C", {}, {}, report::Series::Style::line, {}},
      exponential{"second order, exponential", {}, {}, report::Series::Style::dashed, {}};
  const auto height = [&](const Vector6d& s34, double theta) {
    return (observation::turning_path(guess.first, s34, theta) * guess.vertex).z();
  };
  const auto height_along_exponential = [&](double theta) {
    return (observation::screw_path(guess.first, guess.second, theta) * guess.vertex).z();
  };
  model::JsonWriter json;
  json.object().field("id", guess.id).key("angles").array();
  result.text = std::string(guess.what) +
                "\n  angle [deg]  first order [m]  second order [m]  second order, exponential [m]\n";
  const double rate = guess.first.head<3>().norm();
  for (int degree = 0; degree <= 30; ++degree) {
    const double theta = degree * math::kPi / 180.0 / rate;
    const double one = height(Vector6d::Zero(), theta), two = height(guess.second, theta),
                 other = height_along_exponential(theta);
    plot.x.push_back(degree);
    first.y.push_back(one);
    second.y.push_back(two);
    exponential.y.push_back(other);
    json.object().field("angle_deg", degree).field("first_order_m", one).field("second_order_m", two);
    json.field("second_order_exponential_m", other).end();
    char line[120];
    std::snprintf(line, sizeof line, "  %11d  %15.6f  %16.9f  %29.9f\n", degree, one, two, other);
    if (degree % 5 == 0) result.text += line;
  }
  const double half = 0.1, whole = 0.2;  // [rad] small, and far above rounding
  const std::string powers =
      "the error of first order " +
      power_text(height(Vector6d::Zero(), half), height(Vector6d::Zero(), whole)) + ", of second order it " +
      power_text(height(guess.second, half), height(guess.second, whole)) + " (appendix C) and " +
      power_text(height_along_exponential(half), height_along_exponential(whole)) +
      " (exponential); the cubic term vanishes for this screw";
  result.text += powers + "\n";
  result.json = json.end().field("powers", powers).end().text();
  plot.series = {first, second, exponential};
  result.page.set_verdict(report::Verdict::note, powers);
  if (also != nullptr) also->add(plot);
  result.page.add(std::move(plot));
  return result;
}

void append(Reproduction& result, const Reproduction& other, const char* heading, const char* key) {
  result.text += "\n" + std::string(heading) + "\n\n" + other.text;
  model::JsonWriter json;
  json.object().members(result.json).key(key).document(other.json).end();
  result.json = json.text();
}

}  // namespace

namespace {

std::vector<observation::GraspStability> judged(const std::vector<observation::NamedGrasp>& named,
                                                std::uint64_t seed) {
  std::vector<observation::GraspStability> grasps;
  for (const observation::NamedGrasp& grasp : named) {
    observation::GraspStabilityOptions how;
    how.seed = seed;
    grasps.push_back(observation::grasp_stability(grasp.name, grasp.relation, how));
  }
  return grasps;
}

const Guess& edge_guess() {
  static const Guess guess{
      "fig-3.7-guess",         "An edge stays on a face", "edge-face guess (0,-1,0,-1,0,0; 0,0,0,0,0,1)",
      six(0, -1, 0, -1, 0, 0), six(0, 0, 0, 0, 0, 1),     {0, 1, 0}};
  return guess;
}

}  // namespace

Reproduction figure_3_5_grasps(const ReproduceOptions& options) {
  options.validate();
  Reproduction result;
  const std::vector<observation::NamedGrasp> named = observation::grasps_of_figure_3_5();
  const std::vector<observation::GraspStability> grasps = judged(named, options.seed);
  model::JsonWriter json;
  json.object().field("id", "fig-3.5-grasps").key("grasps").array();
  result.text =
      "grasp                                   positive negative zero  legal  detaching  mobility (1st, "
      "2nd)\n";
  for (std::size_t i = 0; i < grasps.size(); ++i) {
    const observation::GraspStability& grasp = grasps[i];
    const observation::DependentForm& form = grasp.freedom.forms.at(0);
    char line[200];
    std::snprintf(line, sizeof line, "%s  %-36s %8d %8d %4d  %5.2f  %9.2f  %8d %4d\n", grasp.name.c_str(),
                  named[i].what.c_str(), form.positive, form.negative, form.zero, grasp.legal.share,
                  grasp.detaching.share, grasp.first_order_mobility,
                  grasp.second_order_mobility.value_or(-1));
    result.text += line;
    json.object().field("name", grasp.name).field("what", named[i].what);
    json.field("positive", form.positive).field("negative", form.negative).field("zero", form.zero);
    json.field("legal_dimension", grasp.legal.dimension).field("legal_share", grasp.legal.share);
    json.field("detaching_share", grasp.detaching.share);
    json.field("second_order_mobility", grasp.second_order_mobility.value_or(-1)).key("against").object();
    for (const observation::GraspStability& other : grasps)
      if (other.name != grasp.name) json.field(other.name, to_string(observation::compare(grasp, other)));
    json.end().end();
  }
  result.text +=
      "\nby the two rules (row against column: + stabler, - less stable, = equal, ? not comparable)\n   ";
  for (const observation::GraspStability& grasp : grasps) result.text += " " + grasp.name;
  for (const observation::GraspStability& grasp : grasps) {
    result.text += "\n  " + grasp.name;
    for (const observation::GraspStability& other : grasps)
      result.text +=
          &grasp == &other ? " ." : std::string(" ") + "+-=?"[static_cast<int>(compare(grasp, other))];
  }
  result.text += "\npublished: b the stablest, g the least stable, c d e equal, a and f not comparable\n";
  result.json = json.end().end().text();
  result.page = observation::grasp_page(grasps, named);
  return result;
}

Reproduction figure_3_7_guess(const ReproduceOptions&) { return guess_figure(edge_guess()); }

Reproduction figure_3_8(const ReproduceOptions&) {
  Reproduction result = guess_figure({"fig-3.8",
                                      "A vertex stays on a face",
                                      "vertex-face guess (0,-1,1,-1/2,0,0; 0,0,0,0,0,3/2)",
                                      six(0, -1, 1, -0.5, 0, 0),
                                      six(0, 0, 0, 0, 0, 1.5),
                                      {0, 1, 0}});
  // As printed: both ends of the common line after 10 degrees.
  const Vector6d printed = six(0, 1, -1, 0, 0, 0), second = six(0, 0, 0, 0, 0, 1);
  const double theta = 10.0 * math::kPi / 180.0 / std::sqrt(2.0);
  const Eigen::Vector3d here = observation::turning_path(printed, second, theta) * Eigen::Vector3d(0, 1, 0),
                        there = observation::turning_path(printed, second, theta) * Eigen::Vector3d(0, -1, 0);
  char line[300];
  std::snprintf(line, sizeof line,
                "as printed, (0,1,-1,0,0,0; 0,0,0,0,0,1), after 10 deg: the vertex at y = 1 is at x = %.3f "
                "(outside the "
                "face, x <= 0) and z = %.4f, the one at y = -1 at x = %.3f and z = %.4f (off the face)\n",
                here.x(), here.z(), there.x(), there.z());
  result.text += line;
  result.page.add_text(line);
  return result;
}

Reproduction figure_3_5_both(const ReproduceOptions& options) {
  const Reproduction grasps = figure_3_5_grasps(options);
  Reproduction result = figure_3_5(options);
  result.text = "Nadeau 2026: point masses\n\n" + result.text;
  append(result, grasps, "Takamatsu 2004: seven grasps", "grasps");
  result.page.add_heading("Takamatsu 2004, figure 3.5: seven grasps");
  const std::vector<observation::NamedGrasp> named = observation::grasps_of_figure_3_5();
  observation::add_grasps(result.page, judged(named, options.seed), named);
  return result;
}

Reproduction figure_3_7_both(const ReproduceOptions& options) {
  Reproduction result = figure_3_7(options);
  result.page.add_heading("Takamatsu 2004, figure 3.7: an initial guess for a neighbouring relation");
  const Reproduction guess = guess_figure(edge_guess(), &result.page);
  result.text = "Nadeau 2026: inertia error over time\n\n" + result.text;
  append(result, guess, "Takamatsu 2004: an initial guess for a neighbouring relation", "guess");
  return result;
}

}  // namespace prehend::reproduce
