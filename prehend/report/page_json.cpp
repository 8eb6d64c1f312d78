#include <cmath>
#include <stdexcept>

#include <prehend/report/page_json.h>

namespace prehend::report {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw std::invalid_argument("report: " + cleaned_utf8(where) + ": " + what);
}

const char* style_name(Series::Style style) {
  switch (style) {
    case Series::Style::kLine:
      return "line";
    case Series::Style::kDashed:
      return "dashed";
    case Series::Style::kPoints:
      return "points";
    case Series::Style::kLineAndPoints:
      return "line-points";
  }
  throw std::logic_error("unknown series style");
}

void write_x(JsonWriter& json, BufferStore& store, const std::vector<double>& x, bool rising,
             const std::string& where) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) refuse(where, "x value " + std::to_string(i) + " is not finite");
    if (rising && i > 0 && x[i] < x[i - 1])
      refuse(where, "x values must rise; value " + std::to_string(i) + " lies before the one above it");
  }
  const Quantisation quantisation = quantisation_over(x);
  json.key("x")
      .begin_object()
      .member("buffer", store.add_quantised(x, 1, quantisation))
      .member("rows", x.size());
  json.member("offset", quantisation.offset[0]).member("step", quantisation.step[0]).end_object();
}

void write_scene_link(JsonWriter& json, const std::optional<SceneIndex>& scene, const Page& page,
                      const std::string& where) {
  if (!scene) return;
  if (!scene->is_valid() || scene->value() >= page.scene_count())
    refuse(where, "scene index " + std::to_string(scene->value()) + " is out of range; the page has " +
                      std::to_string(page.scene_count()) + " scenes");
  json.member("scene", scene->value());
}

void write_download(JsonWriter& json, BufferStore& store, const Download& file, const std::string& where) {
  const bool plain = !file.file_name.empty() &&
                     file.file_name.find_first_of("/\\:?#\n\r") == std::string::npos &&
                     file.file_name[0] != '.' && file.file_name.find('\0') == std::string::npos;
  if (!plain)
    refuse(where,
           "'" + cleaned_utf8(file.file_name) + "' is no plain file name (no folders, no leading dot)");
  json.begin_object()
      .member("label", file.label.empty() ? file.file_name : file.label)
      .member("fileName", file.file_name);
  json.member("mediaType", file.media_type).member("size", file.bytes.size());
  if (!file.bytes.empty()) json.member("buffer", store.add_bytes(file.bytes));
  json.end_object();
}

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kNone:
      return "none";
    case Verdict::kGood:
      return "good";
    case Verdict::kBad:
      return "bad";
    case Verdict::kNote:
      return "note";
  }
  throw std::logic_error("unknown verdict");
}

// Writes the fields of one block; numbers scenes as the page does.
struct BlockWriter {
  JsonWriter& json;
  BufferStore& store;
  const Page& page;
  int scenes{0};
  int plots{0};
  int tables{0};

  void operator()(const Text& text) { json.member("kind", "text").member("markup", text.markup); }
  void operator()(const Facts& facts) {
    json.member("kind", "facts").member_unless_empty("caption", facts.caption).key("facts");
    write_facts(json, facts.facts);
  }
  void operator()(const Scene3d& scene) {
    json.member("kind", "scene");
    write_scene(json, store, scene, "scene " + std::to_string(++scenes));
  }
  void operator()(const Plot& plot) {
    json.member("kind", "plot");
    write_plot(json, store, plot, page, "plot " + std::to_string(++plots) + " '" + plot.title + "'");
  }
  void operator()(const Table& table) {
    json.member("kind", "table");
    write_table(json, table, page, "table " + std::to_string(++tables) + " '" + table.caption + "'");
  }
  void operator()(const Downloads& downloads) {
    json.member("kind", "downloads").key("files").begin_array();
    for (const Download& file : downloads.files) write_download(json, store, file, "downloads");
    json.end_array();
  }
};

}  // namespace

void write_facts(JsonWriter& json, const std::vector<Fact>& facts) {
  json.begin_array();
  for (const Fact& fact : facts) {
    json.begin_object().member("name", fact.name).member("value", fact.value);
    json.member_unless_empty("unit", fact.unit).member_unless_empty("hint", fact.hint).end_object();
  }
  json.end_array();
}

void write_plot(JsonWriter& json, BufferStore& store, const Plot& plot, const Page& page,
                const std::string& where) {
  const bool rising = plot.kind == Plot::Kind::kTime;
  json.member("plot", rising                         ? "time"
                      : plot.kind == Plot::Kind::kXy ? "xy"
                                                     : "polar")
      .member("title", plot.title);
  json.member("xLabel", plot.x_label)
      .member("xUnit", plot.x_unit)
      .member("yLabel", plot.y_label)
      .member("yUnit", plot.y_unit);
  json.member("logarithmicY", plot.logarithmic_y).member("equalAxes", plot.equal_axes);
  write_scene_link(json, plot.scene, page, where);
  json.member("motion", plot.motion.value());
  if (!plot.x.empty()) write_x(json, store, plot.x, rising, where);
  json.key("series").begin_array();
  for (const Series& series : plot.series) {
    const std::string who = where + ", series '" + series.name + "'";
    const std::size_t count = series.x.empty() ? plot.x.size() : series.x.size();
    if (series.y.size() != count)
      refuse(who, std::to_string(series.y.size()) + " values for " + std::to_string(count) + " x values");
    json.begin_object().member("name", series.name).member("style", style_name(series.style));
    if (series.colour) json.member("colour", css_colour(*series.colour));
    if (!series.x.empty()) write_x(json, store, series.x, rising, who);
    json.key("y")
        .begin_object()
        .member("buffer", store.add_float32(series.y, 1))
        .member("rows", count)
        .end_object();
    json.end_object();
  }
  json.end_array();
}

void write_table(JsonWriter& json, const Table& table, const Page& page, const std::string& where) {
  if (table.columns.empty()) refuse(where, "has no columns");
  if (!table.links.empty() && table.links.size() != table.rows.size())
    refuse(where,
           std::to_string(table.links.size()) + " links for " + std::to_string(table.rows.size()) + " rows");
  json.member_unless_empty("caption", table.caption).key("columns").begin_array();
  for (const Column& column : table.columns) {
    json.begin_object().member("name", column.name).member("digits", column.digits);
    json.member_unless_empty("unit", column.unit).member_unless_empty("hint", column.hint).end_object();
  }
  json.end_array();
  write_scene_link(json, table.scene, page, where);
  json.key("rows").begin_array();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (table.rows[r].size() != table.columns.size())
      refuse(where, "row " + std::to_string(r) + " has " + std::to_string(table.rows[r].size()) +
                        " cells for " + std::to_string(table.columns.size()) + " columns");
    json.begin_array();
    for (const Cell& cell : table.rows[r]) {
      if (const double* number = std::get_if<double>(&cell)) {
        // Not-a-number and infinities have no JSON form: an object says which of them it was.
        if (std::isfinite(*number))
          json.value(*number);
        else
          json.begin_object()
              .member("special", std::isnan(*number) ? "nan"
                                 : *number > 0.0     ? "inf"
                                                     : "-inf")
              .end_object();
      } else if (const std::string* text = std::get_if<std::string>(&cell)) {
        json.value(*text);
      } else {
        json.null();
      }
    }
    json.end_array();
  }
  json.end_array();
  if (table.links.empty()) return;
  json.key("links").begin_array();
  for (const RowLink& link : table.links) {
    json.begin_object();
    if (link.body) json.member("body", link.body->value());
    if (link.motion) json.member("motion", link.motion->value());
    json.end_object();
  }
  json.end_array();
}

std::string page_json(const Page& page, BufferStore& store, const std::string& data_url) {
  JsonWriter json;
  json.begin_object().member("format", 1).member("title", page.title()).member("subtitle", page.subtitle());
  json.member("verdict", verdict_name(page.verdict())).member("verdictSentence", page.verdict_sentence());
  json.member("footer", page.footer()).member_unless_empty("dataUrl", data_url);
  BlockWriter writer{json, store, page};
  json.key("sections").begin_array();
  for (const Page::Section& section : page.sections()) {
    json.begin_object().member("heading", section.heading).key("blocks").begin_array();
    for (const Page::Block& block : section.blocks) {
      json.begin_object().member("width", block.width == Width::kHalf ? "half" : "full");
      std::visit(writer, block.content);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().key("buffers");
  store.write_index(json);
  json.end_object();
  return json.text();
}

}  // namespace prehend::report
