// The folder that --out names.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <prehend/report/page.h>

namespace prehend::cli {

// Makes the folder, with its parents, and tries whether it can be written to; a UsageError says why not.
void prepare_output_folder(const std::string& folder);

// The page as report.html in the folder, with the name of the file it is about and of what made it.
void write_page(report::Page page, const std::string& folder, const std::string& source);

// What a verb wrote into a folder: what is there and was not, or was another file, when this object was made.
class WrittenFiles {
 public:
  explicit WrittenFiles(std::string folder);  // empty: none
  std::vector<std::string> names() const;
  // "wrote out/report.html and out/robustness.csv"; "wrote nothing into out".
  std::string sentence() const;

 private:
  using Files =
      std::map<std::string, std::tuple<unsigned long, long, long>>;  // name to inode and time of change
  static Files files_in(const std::string& folder);

  std::string folder_;
  Files before_;
};

}  // namespace prehend::cli
