#include <cmath>
#include <stdexcept>
#include <vector>

#include <yaml-cpp/yaml.h>

#include <prehend/math/number_text.h>
#include <prehend/model/camera.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>

namespace prehend::model {
namespace {

int line_of(const YAML::Node& node) { return node.Mark().is_null() ? 0 : node.Mark().line + 1; }

class Reader {
 public:
  Reader(const YAML::Node& root, std::string name) : root_(root), name_(std::move(name)) {}

  YAML::Node find(std::initializer_list<const char*> keys) const {
    for (const char* key : keys)
      if (const YAML::Node node = root_[key]; node) return node;
    return YAML::Node(YAML::NodeType::Undefined);
  }
  [[noreturn]] void fail(const YAML::Node& where, const std::string& what) const {
    throw InputError(name_, where.IsDefined() ? line_of(where) : 0, what);
  }
  double number(const YAML::Node& node, const std::string& what) const {
    try {
      const double value = node.as<double>();
      if (std::isfinite(value)) return value;
    } catch (const YAML::Exception&) {
    }
    fail(node, what + " is not a finite number");
  }
  double required(std::initializer_list<const char*> keys, const std::string& what) const {
    const YAML::Node node = find(keys);
    if (!node.IsDefined())
      fail(root_, "the calibration has no " + what +
                      "; expected OpenCV's camera_matrix, or width, height, fx, fy, cx, cy");
    return number(node, what);
  }
  // A list, a list of lists, or a map with `data`.
  std::vector<double> numbers(const YAML::Node& node, const std::string& what) const {
    std::vector<double> values;
    const YAML::Node data = node.IsMap() ? node["data"] : node;
    if (!data.IsDefined() || !data.IsSequence())
      fail(node, what + " must be a list of numbers, or a matrix with data");
    for (const YAML::Node& item : data) {
      if (!item.IsSequence()) {
        values.push_back(number(item, what));
        continue;
      }
      for (const YAML::Node& inner : item) values.push_back(number(inner, what));
    }
    return values;
  }

 private:
  const YAML::Node root_;
  std::string name_;
};

int whole(const Reader& reader, double value, const std::string& what) {
  if (value != std::floor(value) || std::abs(value) > 1e6)
    reader.fail(YAML::Node(YAML::NodeType::Undefined),
                what + " is " + math::number_text(value) + ", must be a whole number of pixels");
  return static_cast<int>(value);
}

CameraModel camera_of(const Reader& reader) {
  CameraModel camera;
  camera.width = whole(reader, reader.required({"image_width", "width"}, "image_width"), "image_width");
  camera.height = whole(reader, reader.required({"image_height", "height"}, "image_height"), "image_height");
  if (const YAML::Node matrix = reader.find({"camera_matrix", "Camera_Matrix", "cameraMatrix", "K"});
      matrix.IsDefined()) {
    const std::vector<double> k = reader.numbers(matrix, "camera_matrix");
    if (k.size() != 9)
      reader.fail(matrix, "camera_matrix has " + std::to_string(k.size()) + " numbers, must have 9");
    if (k[1] != 0 || k[3] != 0 || k[6] != 0 || k[7] != 0 || k[8] != 1)
      reader.fail(matrix, "camera_matrix must read fx 0 cx; 0 fy cy; 0 0 1 (by row)");
    camera.fx = k[0], camera.cx = k[2], camera.fy = k[4], camera.cy = k[5];
  } else {
    camera.fx = reader.required({"fx"}, "camera_matrix or fx");
    camera.fy = reader.required({"fy"}, "fy");
    camera.cx = reader.required({"cx"}, "cx");
    camera.cy = reader.required({"cy"}, "cy");
  }
  const YAML::Node lens = reader.find(
      {"distortion_coefficients", "Distortion_Coefficients", "distCoeffs", "dist_coeffs", "distortion"});
  if (!lens.IsDefined()) return camera;
  const std::vector<double> d = reader.numbers(lens, "distortion_coefficients");
  for (std::size_t i = 0; i < d.size(); ++i) {
    if (i < 5) camera.distortion[static_cast<Eigen::Index>(i)] = d[i];
    if (i >= 5 && d[i] != 0)
      reader.fail(lens, "distortion_coefficients has " + std::to_string(d.size()) +
                            " numbers; the lens model here has five (k1 k2 p1 p2 k3): calibrate without the "
                            "rational or fisheye model");
  }
  return camera;
}

}  // namespace

CameraModel parse_calibration(std::string_view text, const std::string& name) {
  std::string body(text);
  // OpenCV begins with "%YAML:1.0", which no YAML reader knows; a comment of the same length keeps the line numbers.
  if (body.starts_with("%YAML")) body[0] = '#';
  try {
    const YAML::Node root = YAML::Load(body);
    if (!root.IsMap())
      throw InputError(name, 0,
                       "not a camera calibration: expected YAML with camera_matrix, or fx, fy, cx, cy");
    const CameraModel camera = camera_of(Reader(root, name));
    camera.validate();
    return camera;
  } catch (const YAML::Exception& error) {
    throw InputError(name, error.mark.is_null() ? 0 : error.mark.line + 1,
                     "not readable as YAML: " + error.msg);
  } catch (const std::invalid_argument& error) {
    throw InputError(name, 0, std::string("the calibration cannot be right: ") + error.what());
  }
}

CameraModel read_calibration(const std::string& path) {
  return parse_calibration(model::read_file(path, {.max_bytes = std::size_t{1} << 20}), path);
}

void write_calibration(const std::string& path, const CameraModel& camera) {
  const auto text = [](double value) { return math::number_text(value, 17); };
  std::string out = "%YAML:1.0\n---\n";
  out += "image_width: " + std::to_string(camera.width) + "\nimage_height: " + std::to_string(camera.height) +
         "\n";
  out += "camera_matrix: !!opencv-matrix\n   rows: 3\n   cols: 3\n   dt: d\n   data: [ " + text(camera.fx) +
         ", 0., " + text(camera.cx) + ", 0., " + text(camera.fy) + ", " + text(camera.cy) +
         ", 0., 0., 1. ]\n";
  out += "distortion_coefficients: !!opencv-matrix\n   rows: 5\n   cols: 1\n   dt: d\n   data: [ ";
  for (int k = 0; k < 5; ++k) out += (k ? ", " : "") + text(camera.distortion[k]);
  model::write_file(path, out + " ]\n");
}

}  // namespace prehend::model
