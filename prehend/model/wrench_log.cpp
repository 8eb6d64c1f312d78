#include <stdexcept>

#include <prehend/model/files.h>
#include <prehend/model/house/csv.h>
#include <prehend/model/logs/log_columns.h>
#include <prehend/model/text_scan.h>
#include <prehend/model/wrench_log.h>

namespace prehend::model {
namespace {

const std::vector<std::string> kSensor = names_with("s", {"x", "y", "z", "qw", "qx", "qy", "qz"});
const std::vector<std::string> kObject = names_with("o", {"x", "y", "z", "qw", "qx", "qy", "qz"});
const std::vector<std::string> kTwist = {"vx", "vy", "vz", "wx", "wy", "wz"};
const std::vector<std::string> kAcceleration = {"ax", "ay", "az", "alx", "aly", "alz"};
const std::vector<std::string> kForce = names_with("f", {"x", "y", "z"});
const std::vector<std::string> kTorque = names_with("t", {"x", "y", "z"});

std::vector<std::string> first(const std::vector<std::string>& six) { return {six[0], six[1], six[2]}; }
std::vector<std::string> second(const std::vector<std::string>& six) { return {six[3], six[4], six[5]}; }

void append_row(std::string& out, const Eigen::Vector3d& v) {
  for (double x : v) {
    out += ',';
    append_number(out, x);
  }
}

void append_row(std::string& out, const math::Pose& X) {
  append_row(out, X.p());
  for (double x : {X.q().w(), X.q().x(), X.q().y(), X.q().z()}) {
    out += ',';
    append_number(out, x);
  }
}

}  // namespace

WrenchLog parse_wrench_log(std::string_view bytes, const std::string& name) {
  std::vector<CsvColumn> wanted = {{"t"}};
  append_columns(wanted, kSensor, true);
  append_columns(wanted, kTwist, false);
  append_columns(wanted, kAcceleration, false);
  append_columns(wanted, kForce, true);
  append_columns(wanted, kTorque, true);
  append_columns(wanted, kObject, false);
  const CsvTable table = parse_csv(bytes, name, wanted, "a wrench log");
  const bool twist = has_group(table, name, kTwist), acceleration = has_group(table, name, kAcceleration),
             object = has_group(table, name, kObject);
  WrenchLog log;
  log.columns = table.columns();
  log.notes = ignored_notes(table);
  log.t = increasing_times(table, name);
  log.X_WS = poses_of(table, kSensor, name);
  log.f_S = vectors_of(table, kForce);
  log.tau_S = vectors_of(table, kTorque);
  if (twist) {
    log.v_WS_W = vectors_of(table, first(kTwist));
    log.w_WS_W = vectors_of(table, second(kTwist));
  }
  if (acceleration) {
    log.a_WS_W = vectors_of(table, first(kAcceleration));
    log.al_WS_W = vectors_of(table, second(kAcceleration));
  }
  if (object) log.X_WO = poses_of(table, kObject, name);
  return log;
}

WrenchLog read_wrench_log(const std::string& path) { return parse_wrench_log(read_file(path), path); }

void write_wrench_log(const std::string& path, const WrenchLog& log) {
  const std::size_t n = log.rows();
  const auto fits = [n](std::size_t size, bool optional) { return size == n || (optional && size == 0); };
  if (n == 0 || !fits(log.X_WS.size(), false) || !fits(log.f_S.size(), false) ||
      !fits(log.tau_S.size(), false) || !fits(log.v_WS_W.size(), true) ||
      log.w_WS_W.size() != log.v_WS_W.size() || !fits(log.a_WS_W.size(), true) ||
      log.al_WS_W.size() != log.a_WS_W.size() || !fits(log.X_WO.size(), true)) {
    throw std::invalid_argument(path +
                                ": cannot write the wrench log: its columns differ in length or are empty");
  }
  std::string out = "t";
  const auto header = [&out](const std::vector<std::string>& names) {
    for (const std::string& column : names) out += "," + column;
  };
  header(kSensor);
  if (log.has_twist()) header(kTwist);
  if (log.has_acceleration()) header(kAcceleration);
  header(kForce);
  header(kTorque);
  if (log.has_object()) header(kObject);
  out += '\n';
  for (std::size_t i = 0; i < n; ++i) {
    append_number(out, log.t[i]);
    append_row(out, log.X_WS[i]);
    if (log.has_twist()) {
      append_row(out, log.v_WS_W[i]);
      append_row(out, log.w_WS_W[i]);
    }
    if (log.has_acceleration()) {
      append_row(out, log.a_WS_W[i]);
      append_row(out, log.al_WS_W[i]);
    }
    append_row(out, log.f_S[i]);
    append_row(out, log.tau_S[i]);
    if (log.has_object()) append_row(out, log.X_WO[i]);
    out += '\n';
  }
  write_file(path, out);
}

}  // namespace prehend::model
