// What the verbs of `knot` that want one state read: P-data (JSON), or the last frame of a rope (CSV).
#pragma once

#include <optional>

#include "verb.h"
#include <prehend/knot/p_data.h>
#include <prehend/model/json_writer.h>

namespace prehend::cli {

struct KnotArguments {
  std::string file;
  std::vector<std::string> view;
  bool closed{false};
  std::string noise;  // [m]; empty: not given

  void declare(Arguments& arguments);
};

struct KnotInput {
  knot::PData code;
  std::vector<Eigen::Vector3d> centre_line{};  // of a rope
  std::string text{};                          // how the code came about
  // Of a rope: the frame that was read, from where, and whether it is a loop.
  int frame{0};
  std::optional<Eigen::Vector3d> view_W{};
  bool closed{false};
  double noise{0};                    // [m] smoothed away
  std::vector<std::string> notes{};   // on reading it
  std::vector<std::string> doubts{};  // naming_doubts() of it

  // "frame", "view_W", "closed", "noise_m" and "notes"; nothing for P-data.
  void write(model::JsonWriter& json) const;
};

// --noise as number; nothing where it was not given.
std::optional<double> noise_of(const std::string& word);
void declare_noise(std::string& word, Arguments& arguments);

// Throws UsageError for options that do not fit the file, NoAnswerError when the rope cannot be read.
KnotInput read_knot(const KnotArguments& arguments);

}  // namespace prehend::cli
