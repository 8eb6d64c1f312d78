#include "interruption.h"

#include <chrono>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <unistd.h>

#include "progress.h"
#include "verb.h"
#include <prehend/model/files.h>

namespace prehend::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 400ms;  // half a second, less what it takes to notice and to end
constexpr auto kEvery = 20ms;

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

InterruptionGuard::InterruptionGuard(std::string document) : document_(std::move(document)) {
  watching_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

InterruptionGuard::~InterruptionGuard() = default;

void InterruptionGuard::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto never = [] { return false; };
  auto waited = 0ms;
  while (math::interrupt_requests() < 2 && waited < kPatience) {
    stopped_.wait_for(lock, stop, kEvery, never);
    if (stop.stop_requested()) return;
    if (math::interrupt_requested()) waited += kEvery;
  }
  model::end_file_writing();
  // The verb still runs and holds who knows which locks: nothing but system calls.
  write_all(STDOUT_FILENO, document_);
  if (has_terminal()) write_all(STDERR_FILENO, kClearLine);
  if (document_.empty()) write_all(STDERR_FILENO, "prehend: interrupted\n");
  std::_Exit(static_cast<int>(ExitCode::interrupted));
}

}  // namespace prehend::cli
