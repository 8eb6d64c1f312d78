#include <cmath>
#include <stdexcept>

#include <prehend/model/text_scan.h>
#include <prehend/report/html/page_json.h>

namespace prehend::report {

void refuse(const std::string& where, const std::string& what) {
  throw std::invalid_argument("report: " + model::cleaned_utf8(where) + ": " + what);
}

namespace {

const char* style_name(Series::Style style) {
  switch (style) {
    case Series::Style::line:
      return "line";
    case Series::Style::dashed:
      return "dashed";
    case Series::Style::points:
      return "points";
    case Series::Style::line_and_points:
      return "line-points";
  }
  throw std::logic_error("unknown series style");
}

void write_x(model::JsonWriter& json, BufferStore& store, const std::vector<double>& x, bool rising,
             const std::string& where) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) refuse(where, "x value " + std::to_string(i) + " is not finite");
    if (rising && i > 0 && x[i] < x[i - 1])
      refuse(where, "x values must rise; value " + std::to_string(i) + " lies before the one above it");
  }
  const Quantisation quantisation = quantisation_over(x);
  json.key("x").object().field("buffer", store.add_quantised(x, 1, quantisation)).field("rows", x.size());
  json.field("offset", quantisation.offset[0]).field("step", quantisation.step[0]).end();
}

void write_scene_link(model::JsonWriter& json, const std::optional<SceneIndex>& scene, const Page& page,
                      const std::string& where) {
  if (!scene) return;
  if (!scene->is_valid() || scene->value() >= page.scene_count())
    refuse(where, "scene index " + std::to_string(scene->value()) + " is out of range; the page has " +
                      std::to_string(page.scene_count()) + " scenes");
  json.field("scene", scene->value());
}

void write_download(model::JsonWriter& json, BufferStore& store, const Download& file,
                    const std::string& where) {
  const bool plain = !file.file_name.empty() &&
                     file.file_name.find_first_of("/\\:?#\n\r") == std::string::npos &&
                     file.file_name[0] != '.' && file.file_name.find('\0') == std::string::npos;
  if (!plain)
    refuse(where, "'" + model::cleaned_utf8(file.file_name) +
                      "' is no plain file name (no folders, no leading dot)");
  json.object()
      .field("label", file.label.empty() ? file.file_name : file.label)
      .field("fileName", file.file_name);
  json.field("mediaType", file.media_type).field("size", file.bytes.size());
  if (!file.bytes.empty()) json.field("buffer", store.add_bytes(file.bytes));
  json.end();
}

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::none:
      return "none";
    case Verdict::good:
      return "good";
    case Verdict::bad:
      return "bad";
    case Verdict::note:
      return "note";
  }
  throw std::logic_error("unknown verdict");
}

// Writes the fields of one block; numbers scenes as the page does.
struct BlockWriter {
  model::JsonWriter& json;
  BufferStore& store;
  const Page& page;
  int scenes{0};
  int plots{0};
  int tables{0};

  void operator()(const Text& text) { json.field("kind", "text").field("markup", text.markup); }
  void operator()(const Facts& facts) {
    json.field("kind", "facts").field_unless_empty("caption", facts.caption).key("facts");
    write_facts(json, facts.facts);
  }
  void operator()(const Scene3d& scene) {
    json.field("kind", "scene");
    write_scene(json, store, scene, "scene " + std::to_string(++scenes));
  }
  void operator()(const Plot& plot) {
    json.field("kind", "plot");
    write_plot(json, store, plot, page, "plot " + std::to_string(++plots) + " '" + plot.title + "'");
  }
  void operator()(const Timeline& timeline) {
    json.field("kind", "timeline");
    write_timeline(json, timeline, page, "timeline '" + timeline.caption + "'");
  }
  void operator()(const Table& table) {
    json.field("kind", "table");
    write_table(json, table, page, "table " + std::to_string(++tables) + " '" + table.caption + "'");
  }
  void operator()(const Downloads& downloads) {
    json.field("kind", "downloads").key("files").array();
    for (const Download& file : downloads.files) write_download(json, store, file, "downloads");
    json.end();
  }
  void operator()(const Pictures& pictures) {
    json.field("kind", "pictures").key("pictures").array();
    for (const Picture& picture : pictures.pictures) {
      if (!picture.svg.starts_with("<svg")) refuse("picture '" + picture.caption + "'", "is not SVG text");
      json.object().field("caption", picture.caption).field("buffer", store.add_bytes(picture.svg)).end();
    }
    json.end();
  }
};

}  // namespace

void write_facts(model::JsonWriter& json, const std::vector<Fact>& facts) {
  json.array();
  for (const Fact& fact : facts) {
    json.object().field("name", fact.name).field("value", fact.value);
    json.field_unless_empty("unit", fact.unit).field_unless_empty("hint", fact.hint).end();
  }
  json.end();
}

void write_timeline(model::JsonWriter& json, const Timeline& timeline, const Page& page,
                    const std::string& where) {
  json.field("caption", timeline.caption);
  write_scene_link(json, timeline.scene, page, where);
  json.field("motion", timeline.motion.value()).key("rows").array();
  for (const Timeline::Row& row : timeline.rows) {
    json.object().field("name", row.name).key("bars").array();
    for (const Timeline::Bar& bar : row.bars) {
      if (!std::isfinite(bar.from_s) || !std::isfinite(bar.to_s) || bar.to_s < bar.from_s)
        refuse(where, "bar '" + bar.label + "' has no times that rise");
      json.object().field("label", bar.label).field("from", bar.from_s).field("to", bar.to_s);
      json.field("colour", css_colour(bar.colour));
      if (bar.hollow) json.field("hollow", true);
      json.end();
    }
    json.end().end();
  }
  json.end().key("marks").array();
  for (const Timeline::Mark& mark : timeline.marks) {
    if (!std::isfinite(mark.t_s)) refuse(where, "mark '" + mark.label + "' has no time");
    json.object().field("label", mark.label).field("time", mark.t_s).end();
  }
  json.end();
}

void write_plot(model::JsonWriter& json, BufferStore& store, const Plot& plot, const Page& page,
                const std::string& where) {
  const bool rising = plot.kind == Plot::Kind::time;
  json.field("plot", rising                        ? "time"
                     : plot.kind == Plot::Kind::xy ? "xy"
                                                   : "polar")
      .field("title", plot.title);
  json.field("xLabel", plot.x_label)
      .field("xUnit", plot.x_unit)
      .field("yLabel", plot.y_label)
      .field("yUnit", plot.y_unit);
  json.field("logarithmicY", plot.logarithmic_y).field("equalAxes", plot.equal_axes);
  write_scene_link(json, plot.scene, page, where);
  json.field("motion", plot.motion.value());
  if (!plot.x.empty()) write_x(json, store, plot.x, rising, where);
  json.key("series").array();
  for (const Series& series : plot.series) {
    const std::string who = where + ", series '" + series.name + "'";
    const std::size_t count = series.x.empty() ? plot.x.size() : series.x.size();
    if (series.y.size() != count)
      refuse(who, std::to_string(series.y.size()) + " values for " + std::to_string(count) + " x values");
    json.object().field("name", series.name).field("style", style_name(series.style));
    if (series.colour) json.field("colour", css_colour(*series.colour));
    if (!series.x.empty()) write_x(json, store, series.x, rising, who);
    json.key("y").object().field("buffer", store.add_float32(series.y, 1)).field("rows", count).end();
    json.end();
  }
  json.end();
}

void write_table(model::JsonWriter& json, const Table& table, const Page& page, const std::string& where) {
  if (table.columns.empty()) refuse(where, "has no columns");
  if (!table.links.empty() && table.links.size() != table.rows.size())
    refuse(where,
           std::to_string(table.links.size()) + " links for " + std::to_string(table.rows.size()) + " rows");
  json.field_unless_empty("caption", table.caption).key("columns").array();
  for (const Column& column : table.columns) {
    json.object().field("name", column.name).field("digits", column.digits);
    json.field_unless_empty("unit", column.unit).field_unless_empty("hint", column.hint).end();
  }
  json.end();
  write_scene_link(json, table.scene, page, where);
  json.key("rows").array();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (table.rows[r].size() != table.columns.size())
      refuse(where, "row " + std::to_string(r) + " has " + std::to_string(table.rows[r].size()) +
                        " cells for " + std::to_string(table.columns.size()) + " columns");
    json.array();
    for (const Cell& cell : table.rows[r]) {
      if (const double* number = std::get_if<double>(&cell)) {
        // Not-a-number and infinities have no JSON form: an object says which of them it was.
        if (std::isfinite(*number))
          json.value(*number);
        else
          json.object().field("special", std::isnan(*number) ? "nan" : *number > 0.0 ? "inf" : "-inf").end();
      } else if (const std::string* text = std::get_if<std::string>(&cell)) {
        json.value(*text);
      } else {
        json.null();
      }
    }
    json.end();
  }
  json.end();
  if (table.links.empty()) return;
  json.key("links").array();
  for (const RowLink& link : table.links) {
    json.object();
    if (link.body) json.field("body", link.body->value());
    if (link.motion) json.field("motion", link.motion->value());
    json.end();
  }
  json.end();
}

std::string page_json(const Page& page, BufferStore& store, const std::string& data_url) {
  model::JsonWriter json;
  json.object().field("format", 1).field("title", page.title()).field("subtitle", page.subtitle());
  json.field("verdict", verdict_name(page.verdict())).field("verdictSentence", page.verdict_sentence());
  json.field("footer", page.footer()).field_unless_empty("dataUrl", data_url);
  BlockWriter writer{json, store, page};
  json.key("sections").array();
  for (const Page::Section& section : page.sections()) {
    json.object().field("heading", section.heading).key("blocks").array();
    for (const Page::Block& block : section.blocks) {
      json.object().field("width", block.width == Width::half ? "half" : "full");
      std::visit(writer, block.content);
      json.end();
    }
    json.end().end();
  }
  json.end().key("buffers");
  store.write_index(json);
  json.end();
  return json.text();
}

}  // namespace prehend::report
