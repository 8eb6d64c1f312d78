#include <algorithm>
#include <unordered_set>

#include <prehend/model/files.h>
#include <prehend/model/house/csv.h>
#include <prehend/model/input_error.h>
#include <prehend/model/logs/log_columns.h>
#include <prehend/model/text_scan.h>
#include <prehend/model/topology_log.h>

namespace prehend::model {
namespace {

std::vector<std::string> link_columns(int link) {
  return names_with("l" + std::to_string(link) + "_", {"x", "y", "z", "qw", "qx", "qy", "qz"});
}

}  // namespace

TopologyLog parse_topology_log(std::string_view bytes, const std::string& name) {
  const std::vector<std::string> header = csv_columns(bytes, name);
  const std::unordered_set<std::string> known(header.begin(), header.end());
  TopologyLog log;
  log.first_number = known.contains("l0_x") ? 0 : 1;
  int end = log.first_number;
  while (known.contains(link_columns(end)[0])) ++end;
  if (end - log.first_number < 2) {
    throw InputError(name, 1,
                     "a topology log needs the poses of at least two links: columns l0_x, l0_y, l0_z, l0_qw, "
                     "l0_qx, l0_qy, l0_qz, l1_x, ...");
  }
  // A column of a link past the gap would be lost in silence.
  for (const std::string& column : header) {
    const std::size_t mark = column.find("_x");
    if (column.size() < 4 || column[0] != 'l' || mark + 2 != column.size()) continue;
    const auto number = parse_integer(column.substr(1, mark - 1));
    if (number && (*number < log.first_number || *number >= end)) {
      throw InputError(name, 1,
                       "link " + std::to_string(*number) + " is there, but link " + std::to_string(end) +
                           " is not; links are numbered without gap");
    }
  }
  const std::vector<std::string> f_left = names_with("fl_", {"x", "y", "z"}),
                                 tau_left = names_with("tl_", {"x", "y", "z"});
  const std::vector<std::string> f_right = names_with("fr_", {"x", "y", "z"}),
                                 tau_right = names_with("tr_", {"x", "y", "z"});
  std::vector<CsvColumn> wanted = {{"t"}};
  for (int link = log.first_number; link < end; ++link) append_columns(wanted, link_columns(link), true);
  for (const auto* group : {&f_left, &tau_left, &f_right, &tau_right}) append_columns(wanted, *group, false);
  const CsvTable table = parse_csv(bytes, name, wanted, "a topology log");

  const auto joined = [](std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  const bool left = has_group(table, name, joined(f_left, tau_left)),
             right = has_group(table, name, joined(f_right, tau_right));
  if (!left && !right) {
    throw InputError(name, table.header_line(),
                     "a topology log needs the wrench on an end link: columns fl_x, fl_y, fl_z, "
                     "tl_x, tl_y, tl_z or fr_x, ..., tr_z");
  }
  log.columns = table.columns();
  log.notes = ignored_notes(table);
  log.t = increasing_times(table, name);
  for (int link = log.first_number; link < end; ++link)
    log.X_WL.push_back(poses_of(table, link_columns(link), name));
  if (left) {
    log.f_left_L = vectors_of(table, f_left);
    log.tau_left_L = vectors_of(table, tau_left);
  }
  if (right) {
    log.f_right_R = vectors_of(table, f_right);
    log.tau_right_R = vectors_of(table, tau_right);
  }
  return log;
}

TopologyLog read_topology_log(const std::string& path) { return parse_topology_log(read_file(path), path); }

}  // namespace prehend::model
