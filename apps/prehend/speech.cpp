#include "speech.h"

#include <spawn.h>
#include <sys/wait.h>

extern char** environ;

namespace prehend::cli {

bool speak(const std::string& text) {
  std::string program = "espeak-ng", stop = "--", words = text;  // no shell reads them
  char* arguments[] = {program.data(), stop.data(), words.data(), nullptr};
  pid_t process = 0;
  if (posix_spawnp(&process, "espeak-ng", nullptr, nullptr, arguments, environ) != 0) return false;
  int status = 0;
  return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace prehend::cli
