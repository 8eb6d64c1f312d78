// What all scene fuzzers do: read arbitrary bytes; a scene or an InputError, nothing else.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include <prehend/model/input_error.h>
#include <prehend/model/scene_reader.h>
#include <prehend/model/scene_writer.h>

namespace prehend::model {

inline int fuzz_scene(const std::uint8_t* data, std::size_t size, SceneFormat format) {
  SceneOptions options;
  options.allow_files = false;  // an input must not make the fuzzer read the disk
  options.round_segments = 8;
  options.max_elements = 2000;
  options.max_triangles = 200'000;
  Scene scene;
  try {
    scene = read_scene_text(std::string(reinterpret_cast<const char*>(data), size), format, "input", options);
  } catch (const InputError&) {
    return 0;
  }
  for (const Body& body : scene.bodies) {
    if (!body.X_WB.p().allFinite() || !body.inertia.com.allFinite() || !body.inertia.I_com.allFinite())
      __builtin_trap();
  }
  for (const auto& write : {mjcf_text, urdf_text}) {
    try {
      write(scene, "input");
    } catch (const std::invalid_argument&) {
      // A tree format cannot hold every scene: loops, joints in series.
    }
  }
  return 0;
}

}  // namespace prehend::model
