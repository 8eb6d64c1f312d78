// A recording as the CSV that model/topology_log.h reads: links l0, l1, ..., wrenches on the first and the last link.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>

#include <prehend/topology/recording.h>

namespace prehend::topology {

// `digits` significant digits; `every` keeps one row of so many. Throws std::invalid_argument where a held link is neither
// the first nor the last: the file has no column for it.
inline std::string log_text(const Recording& recording, int digits = 17, int every = 1) {
  const int last = static_cast<int>(recording.X_WL.size()) - 1;
  std::string text = "t";
  for (int i = 0; i <= last; ++i)
    for (const char* part : {"x", "y", "z", "qw", "qx", "qy", "qz"})
      text += ",l" + std::to_string(i) + "_" + part;
  for (const HeldLink& held : recording.held) {
    if (held.link != 0 && held.link != last)
      throw std::invalid_argument("log_text: link " + std::to_string(held.link) +
                                  " is held, but a log has wrenches on the first and the last link only");
    const std::string side = held.link == 0 ? "l_" : "r_";
    for (const char* kind : {"f", "t"})
      for (const char* axis : {"x", "y", "z"}) text += std::string(",") + kind + side + axis;
  }
  text += "\n";
  char number[40];
  const auto add = [&](double value, bool comma = true) {
    std::snprintf(number, sizeof number, "%.*g", digits, value);
    text += (comma ? "," : "") + std::string(number);
  };
  for (std::size_t k = 0; k < recording.rows(); k += static_cast<std::size_t>(every)) {
    add(recording.t[k], false);
    for (const auto& X : recording.X_WL) {
      for (int a = 0; a < 3; ++a) add(X[k].p()[a]);
      for (const double q : {X[k].q().w(), X[k].q().x(), X[k].q().y(), X[k].q().z()}) add(q);
    }
    for (const HeldLink& held : recording.held) {
      for (int a = 0; a < 3; ++a) add(held.F_L[k].force[a]);
      for (int a = 0; a < 3; ++a) add(held.F_L[k].moment[a]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace prehend::topology
