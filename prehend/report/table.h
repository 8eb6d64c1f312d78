// Tables of a page: sortable, copied as TSV or CSV, rows may point at a body or a motion of a scene.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <prehend/report/plot.h>
#include <prehend/report/scene3d.h>

namespace prehend::report {

// Nothing (an empty cell), a number (NaN shows as "n/a", an infinity as "unbounded") or text.
using Cell = std::variant<std::monostate, double, std::string>;

struct Column {
  std::string name;
  std::string unit;
  int digits{4};  // significant digits shown; copies carry all of them
  std::string hint;
};

// Choosing the row selects the body and shows the motion.
struct RowLink {
  std::optional<BodyIndex> body;
  std::optional<MotionIndex> motion;
};

struct Table {
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // as many cells as columns
  std::optional<SceneIndex> scene;
  std::vector<RowLink> links;  // one per row, or empty
};

}  // namespace prehend::report
