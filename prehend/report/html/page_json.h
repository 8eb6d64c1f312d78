// The description of a page that the viewer reads: a JSON head, with the numbers in a BufferStore. Internal
// to this room; viewer/src/page_data.ts holds the same structure as TypeScript types.
#pragma once

#include <string>

#include <prehend/model/json_writer.h>
#include <prehend/report/html/buffer_store.h>
#include <prehend/report/page.h>

namespace prehend::report {

// "#rrggbb"; components outside [0, 1] are clamped.
std::string css_colour(const Colour& colour);

// Throws std::invalid_argument "report: WHERE: WHAT".
[[noreturn]] void refuse(const std::string& where, const std::string& what);

// `where` begins every message of an invalid block, as in "scene 1".
void write_scene(model::JsonWriter& json, BufferStore& store, const Scene3d& scene, const std::string& where);
void write_motion(model::JsonWriter& json, BufferStore& store, const Motion& motion, const Scene3d& scene,
                  const Eigen::Vector3d& origin, double size, const std::string& where);
void write_map(model::JsonWriter& json, BufferStore& store, const ScalarMap& map, std::size_t count,
               const std::string& where);
void write_timeline(model::JsonWriter& json, const Timeline& timeline, const Page& page,
                    const std::string& where);
void write_plot(model::JsonWriter& json, BufferStore& store, const Plot& plot, const Page& page,
                const std::string& where);
void write_table(model::JsonWriter& json, const Table& table, const Page& page, const std::string& where);
void write_facts(model::JsonWriter& json, const std::vector<Fact>& facts);

// The whole head; `data_url` is empty when the numbers are embedded.
std::string page_json(const Page& page, BufferStore& store, const std::string& data_url);

}  // namespace prehend::report
