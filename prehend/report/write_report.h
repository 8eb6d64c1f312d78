// Writing a page: one self-contained HTML file, or a folder whose numbers are streamed.
#pragma once

#include <string>

#include <prehend/report/page.h>

namespace prehend::report {

// The HTML text: viewer, page and numbers in one; opens from disk, asks no network. Throws
// std::invalid_argument, with the name of the block and the body, when the page cannot be shown: geometry
// that is not finite, a triangle or an index out of range, lists whose lengths do not match, times that do
// not rise.
std::string report_html(const Page& page);

// Writes report_html() to `path`, complete or absent. Throws as above before anything is written, and
// std::runtime_error when the file cannot be written.
void write_report(const Page& page, const std::string& path);

// For results too large to embed: `folder`/report.html and `folder`/data.bin, which the page reads piece by
// piece when the folder is served over http (`prehend view`). Opened from disk the page asks for data.bin.
// The folder is made when absent.
void write_report_folder(const Page& page, const std::string& folder);

}  // namespace prehend::report
