// P-data in files: `{"sigma":[4,5,6,1,2,3],"attr":[3,4,3,4,3,4]}`, and sequences `{"states":[P, P, ...]}`.
//
// What `knot read --json` prints is read too: its `frames`, each with a `p_data`. So are closed knots by their codes
// (codes.h), cut open before the first passage: `{"dt":[4,6,2]}`, `{"gauss":"O1+U2+..."}`, `{"pd":[[1,5,2,4],...]}`. Other
// fields are ignored. A code that cannot be drawn is an InputError that says why, on the line where that code begins.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <prehend/knot/p_data.h>
#include <prehend/model/json_writer.h>

namespace prehend::knot {

PData parse_p_data(std::string_view bytes, const std::string& name);
PData read_p_data(const std::string& path);

// At least one state.
std::vector<PData> parse_p_data_sequence(std::string_view bytes, const std::string& name);
std::vector<PData> read_p_data_sequence(const std::string& path);

// As one value of a larger document.
void write_json(model::JsonWriter& json, const PData& data);
std::string to_json(const PData& data);
std::string to_json(std::span<const PData> states);

}  // namespace prehend::knot
