// A progress bar on standard error: on a terminal only, none in a pipe or with --quiet.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace prehend::cli {

// Lives while a verb runs. Shows math::current_progress() where the computation says how far it is, the time alone where it
// does not; nothing in the first third of a second. Its end clears the line.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  void draw_until_stopped(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::jthread drawing_;  // none where nothing is shown
};

// Whether bars are seen: standard error is a terminal.
bool has_terminal();
inline constexpr const char* kClearLine = "\r\033[K";

}  // namespace prehend::cli
