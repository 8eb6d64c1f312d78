// What CSV logs share: groups of columns that belong together, and time that increases.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/model/house/csv.h>

namespace prehend::model {

// {"px", "py", "pz"} for the prefix "p" and the suffixes x, y, z.
std::vector<std::string> names_with(const std::string& prefix, std::initializer_list<const char*> suffixes);

void append_columns(std::vector<CsvColumn>& wanted, const std::vector<std::string>& names, bool required);

// Three columns (x, y, z) as vectors.
std::vector<Eigen::Vector3d> vectors_of(const CsvTable& table, const std::vector<std::string>& names);

// Seven columns (x, y, z, w, x, y, z) as poses; a quaternion that is far from unit is an InputError at its
// line.
std::vector<math::Pose> poses_of(const CsvTable& table, const std::vector<std::string>& names,
                                 const std::string& file);

// The column `t`. Time that does not increase from row to row is an InputError at its line.
std::vector<double> increasing_times(const CsvTable& table, const std::string& file);

// "column 'x' was ignored", for each.
std::vector<std::string> ignored_notes(const CsvTable& table);

}  // namespace prehend::model
