#include "progress.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

namespace prehend::cli {

Progress::Progress(int steps, bool quiet)
    : steps_(std::max(steps, 1)), shown_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::next(const std::string& what) {
  const int done = std::min(begun_++, steps_);
  if (!shown_) return;
  constexpr int kWidth = 24;
  const int filled = kWidth * done / steps_;
  std::fprintf(stderr, "\r\033[K[%s%s] %.60s", std::string(filled, '#').c_str(),
               std::string(kWidth - filled, '.').c_str(), what.c_str());
  std::fflush(stderr);
}

}  // namespace prehend::cli
