// The sections of the demo's report: what Prehend says about the objects, scenes and recordings that come with it.
#pragma once

#include <string>
#include <vector>

#include <prehend/model/embedded_data.h>
#include <prehend/model/json_writer.h>
#include <prehend/report/page.h>

namespace prehend::cli {

// The same in three forms, section by section.
struct Demo {
  std::string text;
  model::JsonWriter json;
  report::Page page{"Prehend: a first look"};
};

void show_objects(Demo& demo);
void show_scene(const model::EmbeddedFile& file, int threads, Demo& demo);
void show_weighing(Demo& demo);                 // the mallet, from its recording
void show_robustness(int threads, Demo& demo);  // the stack in the colours of its robustness

// The other capabilities, one section each, in the order of the house.
struct DemoSection {
  const char* name;  // for progress
  void (*show)(Demo& demo);
};
const std::vector<DemoSection>& answer_sections();

}  // namespace prehend::cli
