#include <filesystem>
#include <stdexcept>
#include <system_error>

#include <prehend/model/files.h>
#include <prehend/report/html/html_text.h>
#include <prehend/report/html/page_json.h>
#include <prehend/report/html/viewer_bundle.h>
#include <prehend/report/write_report.h>

namespace prehend::report {
namespace {

std::string html(const Page& page, const std::string& head_json, const std::string& embedded) {
  std::string text;
  text.reserve(embedded.size() + head_json.size() + viewer_script().size() + viewer_style().size() + 4096);
  text += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  text += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  // Only the viewer's own script runs, and only the page's own folder is asked for data: a second wall behind
  // the escaping.
  text += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '";
  text += viewer_script_hash();
  text +=
      "'; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action "
      "'none'\">\n";
  text +=
      "<meta name=\"generator\" content=\"Prehend\">\n<meta name=\"color-scheme\" content=\"light dark\">\n";
  text +=
      "<link rel=\"icon\" href=\"data:,\">\n<title>" + escaped_html(page.tab_title()) + "</title>\n<style>";
  text += viewer_style();
  text += "</style>\n</head>\n<body>\n<div id=\"prehend\"></div>\n<noscript><p>" + escaped_html(page.title());
  text +=
      ": this report draws its scenes, plots and tables with JavaScript, which is switched off in this "
      "browser.</p></noscript>\n";
  text += "<script type=\"application/json\" id=\"prehend-page\">" + head_json + "</script>\n";
  if (!embedded.empty())
    text += "<script type=\"text/plain\" id=\"prehend-data\">" + embedded + "</script>\n";
  text += "<script>";
  text += viewer_script();
  text += "</script>\n</body>\n</html>\n";
  return text;
}

}  // namespace

std::string report_html(const Page& page) {
  BufferStore store;
  const std::string head = page_json(page, store, "");
  return html(page, head, base64(store.bytes()));
}

void write_report(const Page& page, const std::string& path) { model::write_file(path, report_html(page)); }

void write_report_folder(const Page& page, const std::string& folder) {
  BufferStore store;
  const std::string head = page_json(page, store, "data.bin");
  const std::string text = html(page, head, "");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error(folder + ": error: cannot make the folder: " + error.message());
  // The page last: a reader never finds a page without its data.
  model::write_file((std::filesystem::path(folder) / "data.bin").string(), store.bytes());
  model::write_file((std::filesystem::path(folder) / "report.html").string(), text);
}

}  // namespace prehend::report
