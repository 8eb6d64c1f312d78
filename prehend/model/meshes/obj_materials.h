// Colours of an OBJ's materials, from the .mtl files that it names.
//
// Only files in the folder of the OBJ or below it are read. Materials do not change the shape: what cannot be found or read
// is a note, never an error.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <Eigen/Core>

namespace prehend::model {

struct ObjMaterials {
  struct Material {
    Eigen::Vector3d color{Eigen::Vector3d::Ones()};  // diffuse, red green blue in [0, 1]
    bool has_texture{false};
  };
  std::unordered_map<std::string, Material> by_name;
  std::vector<std::string> notes;
};

// Libraries as `mtllib` writes them, a file or several; `name` is the path of the OBJ.
ObjMaterials read_obj_materials(const std::vector<std::string>& libraries, const std::string& name);

}  // namespace prehend::model
