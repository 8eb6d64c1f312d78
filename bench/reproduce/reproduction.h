// Tables and figures of the sources, computed again: one file each, listed in reproduction.cpp.
//
// Each gives a readable text with the source's numbers beside ours, the same as a JSON object, and a page. Times are of
// this machine, in this run.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <prehend/report/page.h>

namespace prehend::reproduce {

struct ReproduceOptions {
  // Repetitions of what is fast, each with new random contact points where a method samples them. The source's ten.
  int runs{10};
  int points{2000};  // of a surface map
  std::uint64_t seed{0};
  int threads{1};
  // Folder of recorded data; empty: beside the sources, where it is there.
  std::string data{};

  void validate() const;
};

struct Reproduction {
  std::string text;
  std::string json;  // an object
  report::Page page{""};
};

struct Entry {
  const char* id;
  const char* title;
  Reproduction (*run)(const ReproduceOptions&);
};
std::span<const Entry> entries();
// Throws std::invalid_argument that lists the names.
const Entry& entry(const std::string& id);

// Source N.
Reproduction table_3_3(const ReproduceOptions& options);
Reproduction figure_3_4(const ReproduceOptions& options);
Reproduction figure_3_5(const ReproduceOptions& options);
Reproduction figure_3_6(const ReproduceOptions& options);
Reproduction figure_3_7(const ReproduceOptions& options);
Reproduction table_3_5(const ReproduceOptions& options);
Reproduction table_3_6(const ReproduceOptions& options);
Reproduction table_3_8(const ReproduceOptions& options);
Reproduction table_4_1(const ReproduceOptions& options);
Reproduction figure_4_16(const ReproduceOptions& options);
Reproduction figure_4_17(const ReproduceOptions& options);
Reproduction table_4_2(const ReproduceOptions& options);
Reproduction table_4_3(const ReproduceOptions& options);
Reproduction table_5_1(const ReproduceOptions& options);
Reproduction table_5_3(const ReproduceOptions& options);
Reproduction figure_5_12(const ReproduceOptions& options);
// Source A.
Reproduction figure_5_assist(const ReproduceOptions& options);
Reproduction figure_7_assist(const ReproduceOptions& options);
Reproduction figure_8(const ReproduceOptions& options);
Reproduction figure_9(const ReproduceOptions& options);
// After another source's figure of the same number.
void add_figure_5_assist(const ReproduceOptions& options, Reproduction& result);
void add_figure_7_assist(const ReproduceOptions& options, Reproduction& result);
// Source K.
Reproduction figure_5_discovery(const ReproduceOptions& options);
// Source T.
Reproduction figure_4_topology(const ReproduceOptions& options);
Reproduction figure_5_topology(const ReproduceOptions& options);
// Sources K, T and A each have a figure 5: one after the other.
Reproduction figure_5(const ReproduceOptions& options);
// Source L.
Reproduction figure_3_5_grasps(const ReproduceOptions& options);
Reproduction figure_3_7_guess(const ReproduceOptions& options);
Reproduction figure_3_8(const ReproduceOptions& options);
// Sources N and L have both figures: one after the other.
Reproduction figure_3_5_both(const ReproduceOptions& options);
Reproduction figure_3_7_both(const ReproduceOptions& options);
Reproduction figure_2_22(const ReproduceOptions& options);
Reproduction figure_2_23(const ReproduceOptions& options);
Reproduction table_2_1(const ReproduceOptions& options);
Reproduction figure_a_6(const ReproduceOptions& options);
Reproduction figure_a_7(const ReproduceOptions& options);
Reproduction figure_a_10(const ReproduceOptions& options);
Reproduction figure_a_16(const ReproduceOptions& options);
Reproduction figure_a_17(const ReproduceOptions& options);
Reproduction figure_a_18(const ReproduceOptions& options);
Reproduction tables_4_1_to_4_4(const ReproduceOptions& options);
Reproduction figure_5_16(const ReproduceOptions& options);
Reproduction figure_5_17(const ReproduceOptions& options);
Reproduction figure_5_18(const ReproduceOptions& options);
Reproduction figure_5_19(const ReproduceOptions& options);
// No source's; needs recorded data.
Reproduction tracks(const ReproduceOptions& options);
// Source K, needs prehend::markers; then A.
Reproduction figure_7(const ReproduceOptions& options);
// No source's; needs prehend::markers.
Reproduction films(const ReproduceOptions& options);

}  // namespace prehend::reproduce
