#include <cmath>
#include <vector>

#include <prehend/inertia/identification.h>
#include <prehend/inertia/methods/fit_report.h>
#include <prehend/math/number_text.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>

namespace prehend::inertia {
namespace {

using math::number_text;

void write_body(const IdentifiedBody& body, model::JsonWriter& json) {
  const Estimate& e = body.estimate;
  json.object().field("method", to_string(e.method)).field("status", to_string(e.status));
  if (e.status != Status::failed) {
    json.field("mass_kg", e.inertia_S.mass)
        .field("com_S_m", e.inertia_S.com)
        .field("inertia_S_kgm2", e.inertia_S.inertia_about(Eigen::Vector3d::Zero()))
        .field("inertia_com_kgm2", e.inertia_S.I_com);
    if (body.inertia_O)
      json.field("com_O_m", body.inertia_O->com).field("inertia_com_O_kgm2", body.inertia_O->I_com);
  }
  json.field("consistent", e.status != Status::failed && e.consistency.is_consistent())
      .field("problems", e.problems)
      .field("notes", e.notes)
      .field("undetermined", e.undetermined);
  json.key("condition");
  std::isfinite(e.condition) ? json.value(e.condition) : json.null();
  json.field("rank", e.rank);
  json.key("residual")
      .object()
      .field("force_N", e.residual_force)
      .field("torque_Nm", e.residual_torque)
      .end();
  if (e.status != Status::failed) {
    const Eigen::Matrix<double, 6, 1> moments = e.std_inertia();
    json.key("std").object().field("mass_kg", e.std_mass()).field("com_m", e.std_com());
    json.field("inertia_kgm2", std::vector<double>(moments.data(), moments.data() + 6)).end();
    json.key("covariance").array();
    for (int i = 0; i < 10; ++i) {
      const math::Vector10d row = e.covariance.row(i);
      json.value(std::vector<double>(row.data(), row.data() + 10));
    }
    json.end();
  }
  json.field("samples", e.samples)
      .field("points", e.masses.size())
      .field("kinematics", body.smoothed ? "smoothed" : "recorded");
  if (!e.masses.empty()) json.field("masses_kg", e.masses).field("points_S_m", e.points_S);
  json.field("time_ms", body.time_ms).end();
}

void write_calibration(const Calibration& found, model::JsonWriter& json) {
  json.key("calibration").object();
  json.field("bias_force_N", Eigen::Vector3d(found.bias.tail<3>()))
      .field("bias_torque_Nm", Eigen::Vector3d(found.bias.head<3>()));
  json.field("gravity_W_mps2", found.gravity_W).field("latency_s", found.latency);
  json.field("time_constant_s", found.time_constant);
  json.key("std").object().field("bias_force_N", Eigen::Vector3d(found.std_bias.tail<3>()));
  json.field("bias_torque_Nm", Eigen::Vector3d(found.std_bias.head<3>()))
      .field("gravity_rad", found.std_gravity);
  json.field("latency_s", found.std_latency).field("time_constant_s", found.std_time_constant);
  json.end().field("undetermined", found.undetermined).end();
}

void add_row(const IdentifiedBody& body, model::TextTable& table) {
  const Estimate& e = body.estimate;
  if (e.status == Status::failed) {
    table.row({to_string(e.method), "", "", "", "", "", "", "", "", "", "no answer", ""});
    return;
  }
  const double spread = 1000.0 * e.std_com().maxCoeff();
  const Eigen::Vector3d com =
      without_rounding(1000.0 * (body.inertia_O ? body.inertia_O->com : e.inertia_S.com), spread);
  const Eigen::Vector3d moments =
      1e3 * (body.inertia_O ? body.inertia_O->I_com.diagonal() : e.inertia_S.I_com.diagonal()).eval();
  table.row({to_string(e.method), number_text(e.inertia_S.mass, 5), number_text(e.std_mass(), 2),
             number_text(com.x(), 4), number_text(com.y(), 4), number_text(com.z(), 4),
             number_text(spread, 2), number_text(moments.x(), 4), number_text(moments.y(), 4),
             number_text(moments.z(), 4), e.consistency.is_consistent() ? "consistent" : "impossible",
             number_text(body.time_ms, 3)});
}

}  // namespace

std::string Identification::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status)).key("results").array();
  for (const IdentifiedBody& body : results) write_body(body, json);
  json.end().field("problems", problems);
  if (samples.X_SO) json.field("X_SO", *samples.X_SO);
  if (calibration) write_calibration(*calibration, json);
  json.end();
  return json.text();
}

std::string Identification::brief_report() const {
  bool in_object = false;
  for (const IdentifiedBody& body : results) in_object = in_object || body.inertia_O.has_value();
  using model::Align;
  model::TextTable table({{"method", Align::left},
                          {"mass [kg]"},
                          {"+-"},
                          {"com x [mm]"},
                          {"com y [mm]"},
                          {"com z [mm]"},
                          {"+-"},
                          {"Ixx [g m2]"},
                          {"Iyy [g m2]"},
                          {"Izz [g m2]"},
                          {"body", Align::left},
                          {"time [ms]"}});
  for (const IdentifiedBody& body : results) add_row(body, table);
  std::string text = table.text();
  text += in_object ? "In the object's frame; moments of inertia about the centre of mass.\n"
                    : "In the sensor's frame; moments of inertia about the centre of mass.\n";
  if (calibration) text += calibration->brief_report() + "\n";
  for (const IdentifiedBody& body : results) {
    const Estimate& e = body.estimate;
    const std::string name = results.size() > 1 ? std::string(to_string(e.method)) + ": " : std::string();
    for (const std::string& note : e.notes) text += name + note + "\n";
    if (e.undetermined.empty()) continue;
    text += name + "the data do not determine";
    for (std::size_t i = 0; i < e.undetermined.size(); ++i) text += (i ? ", " : " ") + e.undetermined[i];
    text += "\n";
  }
  text += model::problem_lines(problems, "problem: ");
  return text;
}

}  // namespace prehend::inertia
