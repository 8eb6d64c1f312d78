// A page that a person reads in a browser: sections of text, facts, 3D scenes, plots, timelines, tables, pictures and downloads.
//
//   Page page("Will the stack hold?");
//   page.set_verdict(Verdict::good, "It holds; the weakest push is 3.2 N.");
//   const SceneIndex scene = page.add(std::move(scene3d));
//   page.add_heading("Contact forces");
//   page.add(std::move(table));
//   write_report(page, "report.html");
//
// Text is plain with a little markup: paragraphs apart by an empty line, lines that start with "- " as a
// list, **strong**, *emphasis*, `code`, [links](https://...). There is no way to HTML: a name, a caption or a
// file's comment can hold any bytes.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <prehend/report/plot.h>
#include <prehend/report/scene3d.h>
#include <prehend/report/table.h>

namespace prehend::report {

enum class Verdict { none, good, bad, note };

// On a wide screen halves stand side by side; on a phone everything has the full width.
enum class Width { full, half };

struct Text {
  std::string markup;
};

struct Facts {
  std::string caption;
  std::vector<Fact> facts;
};

// A file that the reader can save. With `bytes` it travels inside the page; without, it lies beside the page
// under `file_name`.
struct Download {
  std::string label;
  std::string file_name;  // no folders
  std::string media_type{"application/octet-stream"};
  std::string bytes;
};

struct Downloads {
  std::vector<Download> files;
};

// A drawing made by this program, as SVG text. It is shown as an image: a browser runs nothing inside it, loads nothing from it
// and keeps its style to itself, so even text of unknown origin in it does no harm.
struct Picture {
  std::string caption;
  std::string svg;
};

// Side by side, as many as fit, like a film strip.
struct Pictures {
  std::vector<Picture> pictures;
};

class Page {
 public:
  explicit Page(std::string title);
  // Compiled once, in page.cpp: a page holds every kind of content.
  Page(const Page& other);
  Page(Page&& other) noexcept;
  Page& operator=(const Page& other);
  Page& operator=(Page&& other) noexcept;
  ~Page();

  Page& set_subtitle(std::string text);
  // The answer in one sentence, at the top.
  Page& set_verdict(Verdict verdict, std::string sentence);
  // The file that the page is about, with or without folders: its name stands in the browser's tab and above the answer.
  Page& set_source(const std::string& path);
  // A line at the foot: what made the page, from what.
  Page& set_footer(std::string text);

  Page& add_heading(std::string heading);
  Page& add_text(std::string markup, Width width = Width::full);
  Page& add(Facts facts, Width width = Width::full);
  Page& add(Plot plot, Width width = Width::full);
  Page& add(Timeline timeline, Width width = Width::full);
  Page& add(Table table, Width width = Width::full);
  Page& add(Downloads downloads, Width width = Width::full);
  Page& add(Pictures pictures, Width width = Width::full);
  SceneIndex add(Scene3d scene, Width width = Width::full);

  using Content = std::variant<Text, Facts, Scene3d, Plot, Timeline, Table, Downloads, Pictures>;
  struct Block {
    Width width;
    Content content;
  };
  struct Section {
    std::string heading;  // empty for what comes before the first heading
    std::vector<Block> blocks;
  };

  const std::string& title() const { return title_; }
  // The source's name and the subtitle, the latter where it says more.
  std::string subtitle() const;
  // For the browser's tab: "stack.xml: Will the stack hold?".
  std::string tab_title() const;
  const std::string& source() const { return source_; }
  Verdict verdict() const { return verdict_; }
  const std::string& verdict_sentence() const { return verdict_sentence_; }
  const std::string& footer() const { return footer_; }
  const std::vector<Section>& sections() const { return sections_; }
  int scene_count() const { return scene_count_; }

 private:
  Page& append(Content content, Width width);

  std::string title_;
  std::string subtitle_;
  std::string source_;
  Verdict verdict_{Verdict::none};
  std::string verdict_sentence_;
  std::string footer_;
  std::vector<Section> sections_;
  int scene_count_{0};
};

}  // namespace prehend::report
