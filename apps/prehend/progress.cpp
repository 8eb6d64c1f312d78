#include "progress.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include <unistd.h>

#include <prehend/math/progress.h>

namespace prehend::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kFirst = 300ms;  // what is over by then needs no bar
constexpr auto kEvery = 100ms;

void draw(const std::optional<math::CurrentProgress>& progress, double seconds) {
  constexpr int kWidth = 24;
  if (!progress) {
    std::fprintf(stderr, "%sworking, %.0f s", kClearLine, seconds);
  } else {
    const int filled = static_cast<int>(kWidth * progress->fraction);
    std::fprintf(stderr, "%s[%s%s] %3.0f %%  %.50s, %.0f s", kClearLine, std::string(filled, '#').c_str(),
                 std::string(kWidth - filled, '.').c_str(), 100.0 * progress->fraction, progress->what,
                 seconds);
  }
  std::fflush(stderr);
}

}  // namespace

bool has_terminal() { return ::isatty(STDERR_FILENO) == 1; }

ProgressBar::ProgressBar(bool quiet) {
  if (quiet || !has_terminal()) return;
  drawing_ = std::jthread([this](const std::stop_token& stop) { draw_until_stopped(stop); });
}

ProgressBar::~ProgressBar() = default;

void ProgressBar::draw_until_stopped(const std::stop_token& stop) {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  auto pause = std::chrono::milliseconds(kFirst);
  bool drawn = false;
  const auto never = [] { return false; };
  while (!stopped_.wait_for(lock, stop, pause, never) && !stop.stop_requested()) {
    draw(math::current_progress(),
         std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    drawn = true;
    pause = kEvery;
  }
  if (drawn) std::fputs(kClearLine, stderr);
}

}  // namespace prehend::cli
