// Serves a result folder to this machine's browser until Ctrl-C.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include <spawn.h>
#include <sys/wait.h>

#include "file_server.h"
#include "verb.h"

extern char** environ;

namespace prehend::cli {
namespace {

std::atomic<bool> stop_serving{false};

// The desktop's own opener, without a shell. Returns whether it could be started.
bool open_in_browser(const std::string& address) {
  const char* display = std::getenv("DISPLAY");
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  if (!(display && *display) && !(wayland && *wayland)) return false;
  const char* arguments[] = {"xdg-open", address.c_str(), nullptr};
  pid_t child = 0;
  if (::posix_spawnp(&child, "xdg-open", nullptr, nullptr, const_cast<char**>(arguments), environ) != 0)
    return false;
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

Verb view_verb() {
  struct State {
    std::string folder;
    int port{0};
    bool no_open{false};
  };
  const auto state = std::make_shared<State>();
  return {"view",
          "Show a result folder in the browser, served to this machine alone",
          "prehend demo --out demo && prehend view demo",
          [state](Arguments& arguments) {
            arguments.positional("DIR", state->folder, "Folder with a report.html");
            arguments.option("--port", state->port, "Port on 127.0.0.1; 0: any free one");
            arguments.flag("--no-open", state->no_open, "Only serve; do not open a browser");
          },
          [state](const Shared& shared) {
            if (state->port < 0 || state->port > 65535) {
              throw UsageError("--port is " + std::to_string(state->port) + "; it must be 0 to 65535");
            }
            if (!std::filesystem::exists(std::filesystem::path(state->folder) / "report.html")) {
              throw UsageError("there is no report.html in '" + state->folder + "'; make one with --out " +
                               state->folder);
            }
            std::unique_ptr<FileServer> server;
            try {
              server = std::make_unique<FileServer>(state->folder, state->port);
            } catch (const std::runtime_error& error) {
              throw UsageError(error.what());
            }
            std::signal(SIGINT, [](int) { stop_serving = true; });
            std::signal(SIGTERM, [](int) { stop_serving = true; });
            const std::string address = "http://127.0.0.1:" + std::to_string(server->port()) + "/";
            const bool opened = !state->no_open && open_in_browser(address);
            if (!shared.quiet) {
              std::cerr << "serving " << state->folder << " at " << address
                        << (opened || state->no_open
                                ? ""
                                : " (no browser could be opened: open this address yourself)")
                        << "; Ctrl-C ends" << std::endl;
            }
            server->run(stop_serving);
            return Answer{ExitCode::answer, "ok", 0.0, R"({"status":"ok","address":")" + address + "\"}", ""};
          },
          {},
          true};
}

}  // namespace prehend::cli
