// A progress bar on standard error: on a terminal only, none in a pipe or with --quiet.
#pragma once

#include <string>

namespace prehend::cli {

class Progress {
 public:
  // Silent unless standard error is a terminal and the user did not ask for quiet.
  Progress(int steps, bool quiet);
  ~Progress();  // clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Begins the next step.
  void next(const std::string& what);

 private:
  int steps_;
  int begun_{0};
  bool shown_;
};

}  // namespace prehend::cli
