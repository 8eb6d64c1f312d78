#include <algorithm>
#include <mutex>

#include <prehend/math/progress.h>

namespace prehend::math {
namespace {

std::mutex loops_mutex;            // held while loops begin, end and are read, never while they run
Progress* shown = nullptr;         // the outermost loop that began first
thread_local Progress* innermost;  // of this thread

}  // namespace

// Reads the chain of loops; the mutex is held.
struct ProgressReader {
  static double fraction(const Progress& loop) {
    const double inside = loop.inner_ != nullptr ? fraction(*loop.inner_) : 0.0;
    const auto done = static_cast<double>(loop.done_.load(std::memory_order_relaxed));
    return std::min((done + inside) / static_cast<double>(loop.total_), 1.0);
  }
  static CurrentProgress read(const Progress& loop) {
    return {fraction(loop), loop.what_.load(std::memory_order_relaxed)};
  }
};

Progress::Progress(const char* what, std::size_t total)
    : what_(what), total_(std::max<std::size_t>(total, 1)) {
  const std::scoped_lock lock(loops_mutex);
  outer_ = innermost;
  innermost = this;
  if (outer_ != nullptr) {
    outer_->inner_ = this;
  } else if (shown == nullptr) {
    shown = this;
  }
}

Progress::~Progress() {
  const std::scoped_lock lock(loops_mutex);
  innermost = outer_;
  if (outer_ != nullptr) outer_->inner_ = nullptr;
  if (shown == this) shown = nullptr;
}

std::optional<CurrentProgress> current_progress() {
  const std::scoped_lock lock(loops_mutex);
  if (shown == nullptr) return std::nullopt;
  return ProgressReader::read(*shown);
}

}  // namespace prehend::math
