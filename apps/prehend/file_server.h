// A small web server for one folder, reachable from this machine alone: what `prehend view` needs.
//
// It listens on 127.0.0.1 only, answers GET and HEAD (with byte ranges, so that large results stream), and serves plain files
// below its folder; links that lead out of it and names with `..` are refused. Requests with a foreign Host are refused too, so
// that a web page elsewhere cannot read results through the user's browser.
#pragma once

#include <atomic>
#include <string>

namespace prehend::cli {

class FileServer {
 public:
  // Throws std::runtime_error when the port is taken (named, with what to do) or the folder cannot be served.
  // Port 0 takes any free one.
  FileServer(const std::string& folder, int port);
  ~FileServer();
  FileServer(const FileServer&) = delete;
  FileServer& operator=(const FileServer&) = delete;

  int port() const { return port_; }
  // Serves until `stop` becomes true; looks at it ten times a second.
  void run(const std::atomic<bool>& stop);

 private:
  void answer(int connection) const;

  std::string root_;  // canonical
  int listener_{-1};
  int port_{0};
};

}  // namespace prehend::cli
