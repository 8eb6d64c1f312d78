// L, table 2.1: poses disturbed by up to 10 mm and 5 deg and brought back to a contact relation, by three corrections.
#include <array>
#include <cmath>
#include <cstdio>

#include "peg_insertion.h"
#include "reproduction.h"
#include <prehend/math/angles.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/model/json_writer.h>
#include <prehend/observation/pose_correction.h>

namespace prehend::reproduce {
namespace {

using observation::CorrectionMethod;

struct PrintedRow {
  char state;
  const char* restricted;
  std::array<double, 6> source;  // non-linear: success [%], deg, mm; linear: the same
  double theory_deg, theory_mm;  // least motion: 2.5 deg and 5 mm times 1/2, pi/4, 1 for 1, 2, 3 freedoms
};

// As many as in print. Their means are off by 0.04 deg and 0.07 mm (one standard error), about as much as the theory is away from the bounds.
constexpr int kPrintedTrials = 1000;
// The same stream of trials continued: its standard errors, 0.013 deg and 0.025 mm, are small beside that.
constexpr int kTrials = 10000;

// Trials put together; means with their standard errors.
struct Trials {
  int tried{0}, good{0};
  double turned{0.0}, moved{0.0}, turned_squared{0.0}, moved_squared{0.0};
  double drawn_deg{0.0}, drawn_mm{0.0};  // noise of all trials, summed

  double share() const { return 100.0 * good / std::max(1, tried); }
  double deg() const { return turned / std::max(1, good); }
  double mm() const { return moved / std::max(1, good); }
  double deg_error() const { return error(deg(), turned_squared); }
  double mm_error() const { return error(mm(), moved_squared); }

 private:
  double error(double mean, double squares) const {
    return good < 2 ? 0.0 : std::sqrt(std::max(0.0, squares / good - mean * mean) / good);
  }
};

void add_trials(const observation::BodyPair& pair, const math::Pose& exact,
                const observation::CorrectionOptions& correction, std::uint64_t seed, int first, int end,
                Trials& trials) {
  const observation::PrincipalContacts contacts = pair.contacts_at(exact, pair.touch_tolerance());
  for (int trial = first; trial < end; ++trial) {
    math::RandomStream random(seed, static_cast<std::uint64_t>(trial));
    const double distance_m = random.uniform(0.0, 10e-3);
    const Eigen::Vector3d shift = distance_m * random.unit_vector();
    const double turn_deg = random.uniform(0.0, 5.0);
    const Eigen::Vector3d turn = math::radians(turn_deg) * random.unit_vector();
    trials.drawn_deg += turn_deg;
    trials.drawn_mm += 1e3 * distance_m;
    const math::Pose seen((math::exp_so3(turn) * exact.q()).normalized(), exact.p() + shift);
    const observation::Correction corrected = correct_pose(pair, contacts, seen, correction);
    ++trials.tried;
    if (corrected.status != observation::CorrectionStatus::ok) continue;
    ++trials.good;
    const double angle = math::degrees(corrected.turned_rad), distance = 1e3 * corrected.moved_m;
    trials.turned += angle;
    trials.moved += distance;
    trials.turned_squared += angle * angle;
    trials.moved_squared += distance * distance;
  }
}

// In print, or the theory of the least motion.
std::string beside(const PrintedRow& row, CorrectionMethod method) {
  char text[80];
  const std::size_t first = method == CorrectionMethod::newton ? 0 : 3;
  if (method == CorrectionMethod::least)
    std::snprintf(text, sizeof text, "(theory %.2f, %.2f)", row.theory_deg, row.theory_mm);
  else
    std::snprintf(text, sizeof text, "(%.1f%%, %.2f, %.2f)", row.source[first], row.source[first + 1],
                  row.source[first + 2]);
  return text;
}

void tell(const PrintedRow& row, CorrectionMethod method, const Trials& one, const Trials& all,
          Reproduction& result, report::Table& table, model::JsonWriter& json) {
  char line[240];
  std::snprintf(
      line, sizeof line,
      "%-10s  %-7s  %6.2f%%  %6.3f +- %5.3f  %6.3f +- %5.3f   %6.1f%%  %5.2f +- %4.2f  %5.2f +- %4.2f   %s\n",
      row.restricted, to_string(method), all.share(), all.deg(), all.deg_error(), all.mm(), all.mm_error(),
      one.share(), one.deg(), one.deg_error(), one.mm(), one.mm_error(), beside(row, method).c_str());
  result.text += line;
  json.object()
      .field("restricted", row.restricted)
      .field("method", to_string(method))
      .field("corrected_percent", all.share());
  json.field("turned_deg", all.deg()).field("moved_mm", all.mm());
  json.field("turned_error_deg", all.deg_error()).field("moved_error_mm", all.mm_error());
  json.key("first_1000")
      .object()
      .field("corrected_percent", one.share())
      .field("turned_deg", one.deg())
      .field("moved_mm", one.mm());
  json.field("turned_error_deg", one.deg_error()).field("moved_error_mm", one.mm_error()).end().end();
  std::vector<report::Cell> cells = {std::string(row.restricted),
                                     std::string(to_string(method)),
                                     all.share(),
                                     all.deg(),
                                     all.mm(),
                                     one.deg(),
                                     one.mm()};
  const std::size_t first = method == CorrectionMethod::newton ? 0 : 3;
  for (std::size_t k = 0; k < 3; ++k)
    cells.push_back(method != CorrectionMethod::least ? report::Cell(row.source[first + k]) : report::Cell());
  table.rows.push_back(std::move(cells));
}

// A run whose noise is larger than its mean corrects by more: the same trials serve all rows.
void tell_noise(const Trials& one, const Trials& all, Reproduction& result, model::JsonWriter& json) {
  // Standard deviations of uniform distributions over 5 deg and 10 mm.
  const double deg = 5.0 / std::sqrt(12.0), mm = 10.0 / std::sqrt(12.0);
  char text[320];
  json.key("drawn").array();
  for (const Trials& trials : {all, one}) {
    const double count = trials.tried;
    std::snprintf(
        text, sizeof text,
        "noise drawn in %d trials: %.3f deg and %.3f mm in the mean (2.5 +- %.3f and 5 +- %.3f expected)\n",
        trials.tried, trials.drawn_deg / count, trials.drawn_mm / count, deg / std::sqrt(count),
        mm / std::sqrt(count));
    result.text += text;
    json.object()
        .field("trials", trials.tried)
        .field("turned_deg", trials.drawn_deg / count)
        .field("moved_mm", trials.drawn_mm / count)
        .end();
  }
  json.end();
}

}  // namespace

Reproduction table_2_1(const ReproduceOptions& options) {
  options.validate();
  const observation::BodyPair pair(geometry::Polyhedron::from_mesh(peg_mesh()),
                                   geometry::Polyhedron::from_mesh(hole_mesh()));
  const std::array<PrintedRow, 3> rows = {
      {{'B', "(1,1)", {84.6, 6.80, 4.44, 100.0, 1.24, 2.41}, 1.25, 2.5},
       {'E', "(2,2)", {49.4, 2.84, 4.35, 100.0, 1.97, 3.79}, 1.963, 3.927},
       {'H', "(2,3)", {82.7, 2.43, 4.82, 100.0, 2.51, 3.77}, 2.5, 3.927}}};
  Reproduction result;
  result.page = report::Page("How far must a noisy pose be moved to touch?");
  result.page.set_subtitle("Takamatsu 2004, table 2.1, and here");
  report::Table table;
  table.columns = {{"restricted", "", 4, "freedoms in translation and rotation"},
                   {"method", "", 4, ""},
                   {"corrected", "%", 4, "10 000 trials"},
                   {"turned", "deg", 4, "10 000 trials"},
                   {"moved", "mm", 4, "10 000 trials"},
                   {"turned, first 1000", "deg", 3, "as many trials as in print"},
                   {"moved, first 1000", "mm", 3, "as many trials as in print"},
                   {"corrected, in print", "%", 4, ""},
                   {"turned, in print", "deg", 3, ""},
                   {"moved, in print", "mm", 3, ""}};
  model::JsonWriter json;
  json.object().field("id", "table-2.1").field("trials", kTrials).key("rows").array();
  bool agrees = true;
  Trials first, every;  // of the last row
  result.text =
      "                     10 000 trials                                  the first 1000 of them, as many "
      "as in print\n"
      "restricted  method   corrected  turned [deg]     moved [mm]      corrected  turned [deg]  moved [mm]  "
      "   (in print; theory of the least motion)\n";
  for (const PrintedRow& row : rows) {
    math::Pose exact;
    for (const PegState& state : peg_states())
      if (state.name == row.state) exact = state.X_FM;
    for (const CorrectionMethod method :
         {CorrectionMethod::newton, CorrectionMethod::linear, CorrectionMethod::least}) {
      observation::CorrectionOptions correction;
      correction.method = method;
      correction.noise = {10e-3, math::radians(5.0)};
      Trials one;
      add_trials(pair, exact, correction, options.seed, 0, kPrintedTrials, one);
      Trials all = one;
      add_trials(pair, exact, correction, options.seed, kPrintedTrials, kTrials, all);
      tell(row, method, one, all, result, table, json);
      first = one;
      every = all;
      agrees = agrees && (method == CorrectionMethod::newton || all.good == all.tried);
    }
  }
  json.end();
  tell_noise(first, every, result, json);
  result.page.add(std::move(table));
  result.page.set_verdict(
      agrees ? report::Verdict::good : report::Verdict::bad,
      agrees ? "Least motion and the linear correction always succeed." : "Some poses were not corrected.");
  result.json = json.field("agrees", agrees).end().text();
  return result;
}

}  // namespace prehend::reproduce
