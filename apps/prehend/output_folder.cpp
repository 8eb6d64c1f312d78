#include "output_folder.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "verb.h"
#include <prehend/model/json_writer.h>
#include <prehend/report/write_report.h>

namespace prehend::cli {

void prepare_output_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw UsageError("cannot make the folder '" + folder + "': " + error.message() +
                     "; choose another with --out");
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw UsageError("cannot write into the folder '" + folder + "': " + std::strerror(errno) +
                     "; choose another with --out");
  }
}

void write_page(report::Page page, const std::string& folder, const std::string& source) {
  prepare_output_folder(folder);
  page.set_source(source);
  page.set_footer("Made by prehend " PREHEND_VERSION ".");
  report::write_report(page, folder + "/report.html");
}

void add_files(Answer& answer, const std::vector<std::pair<std::string, std::string>>& paths) {
  model::JsonWriter json;
  json.object().members(answer.document).key("files").object();
  for (const auto& [name, path] : paths) json.field_unless_empty(name, path);
  answer.document = json.end().end().text();
}

WrittenFiles::WrittenFiles(std::string folder) : folder_(std::move(folder)), before_(files_in(folder_)) {}

WrittenFiles::Files WrittenFiles::files_in(const std::string& folder) {
  Files files;
  if (folder.empty()) return files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    struct stat info{};
    if (::stat(entry.path().c_str(), &info) != 0) continue;
    files[entry.path().string() + (S_ISDIR(info.st_mode) ? "/" : "")] = {info.st_ino, info.st_mtim.tv_sec,
                                                                         info.st_mtim.tv_nsec};
  }
  return files;
}

std::vector<std::string> WrittenFiles::names() const {
  std::vector<std::string> written;
  for (const auto& [name, version] : files_in(folder_)) {
    const auto known = before_.find(name);
    if (known == before_.end() || known->second != version) written.push_back(name);
  }
  return written;
}

std::string WrittenFiles::sentence() const {
  const std::vector<std::string> written = names();
  if (written.empty()) return "wrote nothing into " + folder_;
  std::string text = "wrote ";
  for (std::size_t i = 0; i < written.size(); ++i)
    text += (i == 0 ? "" : i + 1 < written.size() ? ", " : " and ") + written[i];
  return text;
}

}  // namespace prehend::cli
