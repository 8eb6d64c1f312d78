// Writes a sample page:  report_sample_tool sample|large|hostile|folder|still PATH
#include <cstdio>
#include <exception>
#include <string>

#include <prehend/report/test/sample_page.h>
#include <prehend/report/write_report.h>

int main(int argc, char** argv) {
  using namespace prehend::report;
  if (argc != 3)
    return std::fprintf(stderr, "usage: report_sample_tool sample|large|hostile|folder|still PATH\n"), 2;
  const std::string what = argv[1], path = argv[2];
  try {
    if (what == "sample")
      write_report(sample_page(), path);
    else if (what == "large")
      write_report(large_page(100000, 20, 10000), path);
    else if (what == "hostile")
      write_report(hostile_page(), path);
    else if (what == "folder")
      write_report_folder(sample_page(), path);
    else if (what == "still") {
      Page page("At rest");
      page.add(sample_scene());
      write_report(page, path);
    } else {
      return std::fprintf(stderr, "unknown page '%s'\n", argv[1]), 2;
    }
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
}
