// Rows of a log whose wrench is none: left out before anything is made of them.
//
// Four kinds, by the wrench's numbers alone, and poses that repeat. Spikes: single values (at most two rows on end) far from the median of the seven rows about them and from
// a cubic through four of them, in deviations of the neighbourhood and beside the signal: knocks and lost bits; and single poses likewise, that a tracker misplaced. Zeros: rows in which all six numbers are exactly zero between others that
// are not: packets that a driver missed. Repeated rows: a sensor slower than the log, whose value stands for the same number of rows each
// time; the first row of each run is the measurement, and the others would be taken for late ones.
#pragma once

#include <optional>
#include <vector>

#include <prehend/inertia/log_diagnosis.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia {

struct UsableRows {
  std::optional<model::WrenchLog> log;  // absent: all rows are usable
  std::vector<Finding> findings;        // warnings: how many rows were left out, and why
};
UsableRows usable_rows(const model::WrenchLog& log, WrenchFrame frame);

}  // namespace prehend::inertia
