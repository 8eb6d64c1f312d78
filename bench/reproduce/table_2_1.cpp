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

constexpr int kTrials = 1000;

}  // namespace

Reproduction table_2_1(const ReproduceOptions& options) {
  options.validate();
  const observation::BodyPair pair(geometry::Polyhedron::from_mesh(peg_mesh()), geometry::Polyhedron::from_mesh(hole_mesh()));
  const std::array<PrintedRow, 3> rows = {{{'B', "(1,1)", {84.6, 6.80, 4.44, 100.0, 1.24, 2.41}, 1.25, 2.5},
                                           {'E', "(2,2)", {49.4, 2.84, 4.35, 100.0, 1.97, 3.79}, 1.963, 3.927},
                                           {'H', "(2,3)", {82.7, 2.43, 4.82, 100.0, 2.51, 3.77}, 2.5, 3.927}}};
  Reproduction result;
  result.page = report::Page("How far must a noisy pose be moved to touch?");
  result.page.set_subtitle("Takamatsu 2004, table 2.1, and here");
  report::Table table;
  table.columns = {{"restricted", "", 4, "freedoms in translation and rotation"}, {"method", "", 4, ""},
                   {"corrected", "%", 4, ""}, {"turned", "deg", 3, ""}, {"moved", "mm", 3, ""},
                   {"corrected, in print", "%", 4, ""}, {"turned, in print", "deg", 3, ""}, {"moved, in print", "mm", 3, ""}};
  model::JsonWriter json;
  json.object().field("id", "table-2.1").field("trials", kTrials).key("rows").array();
  bool agrees = true;
  result.text = "restricted  method   corrected  turned [deg]   moved [mm]     (in print; theory of the least motion)\n";
  for (const PrintedRow& row : rows) {
    math::Pose exact;
    for (const PegState& state : peg_states())
      if (state.name == row.state) exact = state.X_FM;
    const observation::PrincipalContacts contacts = pair.contacts_at(exact, pair.touch_tolerance());
    for (const CorrectionMethod method : {CorrectionMethod::newton, CorrectionMethod::linear, CorrectionMethod::least}) {
      observation::CorrectionOptions correction;
      correction.method = method;
      correction.noise = {10e-3, math::radians(5.0)};
      int good = 0;
      double turned = 0.0, moved = 0.0, turned_squared = 0.0, moved_squared = 0.0;
      for (int trial = 0; trial < kTrials; ++trial) {
        math::RandomStream random(options.seed, static_cast<std::uint64_t>(trial));
        const Eigen::Vector3d shift = random.uniform(0.0, 10e-3) * random.unit_vector();
        const Eigen::Vector3d turn = math::radians(random.uniform(0.0, 5.0)) * random.unit_vector();
        const math::Pose seen((math::exp_so3(turn) * exact.q()).normalized(), exact.p() + shift);
        const observation::Correction corrected = correct_pose(pair, contacts, seen, correction);
        if (corrected.status != observation::CorrectionStatus::ok) continue;
        ++good;
        const double angle = math::degrees(corrected.turned_rad), distance = 1e3 * corrected.moved_m;
        turned += angle;
        moved += distance;
        turned_squared += angle * angle;
        moved_squared += distance * distance;
      }
      const double share = 100.0 * good / kTrials, deg = turned / std::max(1, good), mm = moved / std::max(1, good);
      // Of a mean over so many trials: another seed is off by this.
      const auto error = [&](double mean, double squares) {
        return good < 2 ? 0.0 : std::sqrt(std::max(0.0, squares / good - mean * mean) / good);
      };
      const double deg_error = error(deg, turned_squared), mm_error = error(mm, moved_squared);
      const bool is_printed = method != CorrectionMethod::least;
      const std::size_t first = method == CorrectionMethod::newton ? 0 : 3;
      char line[200];
      if (is_printed)
        std::snprintf(line, sizeof line, "%-10s  %-7s  %8.1f%%  %5.2f +- %4.2f  %4.2f +- %4.2f   (%.1f%%, %.2f, %.2f)\n", row.restricted,
                      to_string(method), share, deg, deg_error, mm, mm_error, row.source[first], row.source[first + 1], row.source[first + 2]);
      else
        std::snprintf(line, sizeof line, "%-10s  %-7s  %8.1f%%  %5.2f +- %4.2f  %4.2f +- %4.2f   (theory %.2f, %.2f)\n", row.restricted,
                      to_string(method), share, deg, deg_error, mm, mm_error, row.theory_deg, row.theory_mm);
      result.text += line;
      agrees = agrees && (method == CorrectionMethod::newton || good == kTrials);
      json.object().field("restricted", row.restricted).field("method", to_string(method)).field("corrected_percent", share);
      json.field("turned_deg", deg).field("moved_mm", mm);
      json.field("turned_error_deg", deg_error).field("moved_error_mm", mm_error).end();
      std::vector<report::Cell> cells = {std::string(row.restricted), std::string(to_string(method)), share, deg, mm};
      for (std::size_t k = 0; k < 3; ++k) cells.push_back(is_printed ? report::Cell(row.source[first + k]) : report::Cell());
      table.rows.push_back(std::move(cells));
    }
  }
  result.page.add(std::move(table));
  result.page.set_verdict(agrees ? report::Verdict::good : report::Verdict::bad,
                          agrees ? "Least motion and the linear correction always succeed." : "Some poses were not corrected.");
  result.json = json.end().field("agrees", agrees).end().text();
  return result;
}

}  // namespace prehend::reproduce
