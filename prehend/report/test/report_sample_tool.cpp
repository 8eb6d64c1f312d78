// Writes a sample page:  report_sample_tool sample|large|hostile|turned|still|folder PATH
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <string>

#include <prehend/report/test/sample_page.h>
#include <prehend/report/write_report.h>

int main(int argc, char** argv) {
  using namespace prehend::report;
  const std::map<std::string, std::function<Page()>> pages{
      {"sample", [] { return sample_page(); }},
      {"large", [] { return large_page(100000, 20, 10000); }},
      {"hostile", hostile_page},
      {"turned", turned_page},
      {"folder", [] { return sample_page(); }},
      {"still", [] {
         Page page("At rest");
         page.add(sample_scene());
         return page;
       }}};
  const auto page = argc == 3 ? pages.find(argv[1]) : pages.end();
  if (page == pages.end()) {
    std::fprintf(stderr, "usage: report_sample_tool sample|large|hostile|turned|still|folder PATH\n");
    return 2;
  }
  try {
    if (page->first == "folder") {
      write_report_folder(page->second(), argv[2]);
    } else {
      write_report(page->second(), argv[2]);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
