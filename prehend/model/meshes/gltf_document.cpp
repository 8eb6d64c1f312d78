#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include <nlohmann/json.hpp>

#include <prehend/model/input_error.h>
#include <prehend/model/meshes/gltf_container.h>
#include <prehend/model/meshes/gltf_document.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

using Json = nlohmann::json;

int component_size(int type) {
  switch (type) {
    case 5120:
    case 5121:
      return 1;
    case 5122:
    case 5123:
      return 2;
    case 5125:
    case 5126:
      return 4;
    default:
      return 0;
  }
}

template <class T>
T load(const char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);  // glTF is little-endian, as are the machines we build for
  return value;
}

double component_at(const char* p, int type, bool normalized) {
  switch (type) {
    case 5120:
      return normalized ? std::max(load<std::int8_t>(p) / 127.0, -1.0) : load<std::int8_t>(p);
    case 5121:
      return load<std::uint8_t>(p) / (normalized ? 255.0 : 1.0);
    case 5122:
      return normalized ? std::max(load<std::int16_t>(p) / 32767.0, -1.0) : load<std::int16_t>(p);
    case 5123:
      return load<std::uint16_t>(p) / (normalized ? 65535.0 : 1.0);
    case 5125:
      return load<std::uint32_t>(p) / (normalized ? 4294967295.0 : 1.0);
    default:
      return load<float>(p);
  }
}

// nlohmann's parser keeps its own stack, but nothing in glTF is deep: refuse towers of brackets early.
void refuse_deep_nesting(std::string_view text, const std::string& name) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth > 100) throw InputError(name, 0, "the glTF's JSON is nested more than 100 levels deep");
  }
}

}  // namespace

struct GltfDocument::Content {
  std::string name;
  Json json;
  bool is_binary{false};
  std::string_view chunk;                                  // the binary chunk of a .glb
  mutable std::vector<std::optional<std::string>> loaded;  // buffers from data: addresses and files

  [[noreturn]] void fail(const std::string& what) const { throw InputError(name, 0, "glTF: " + what); }

  void open(std::string_view bytes) {
    std::string_view text = bytes;
    if (bytes.starts_with("glTF")) {
      is_binary = true;
      const GlbChunks chunks = open_glb(bytes, name);
      text = chunks.json;
      chunk = chunks.binary;
    }
    items_left = 4'000'000 + 16 * bytes.size();
    refuse_deep_nesting(text, name);
    try {
      json = Json::parse(text.begin(), text.end());
    } catch (const Json::parse_error& error) {
      const std::size_t at = std::min<std::size_t>(error.byte, text.size());
      const int line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + at, '\n'));
      throw InputError(name, is_binary ? 0 : line,
                       "glTF: the JSON is damaged or truncated at byte " + std::to_string(at));
    } catch (const Json::exception&) {
      // A number past the range of double is no parse error to the parser, but another exception.
      fail("the JSON holds a number that is too large");
    }
    if (!json.is_object()) fail("the JSON must be an object");
    const Json* asset = member(json, "asset");
    const Json* version = asset && asset->is_object() ? member(*asset, "version") : nullptr;
    if (version == nullptr || !version->is_string()) fail("'asset.version' is missing; expected 2.0");
    if (!version->get_ref<const std::string&>().starts_with("2.")) {
      fail("version " + in_quotes(version->get_ref<const std::string&>()) + " is not read; expected 2.0");
    }
    loaded.resize(size("buffers"));
  }

  static const Json* member(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  std::size_t size(const char* array) const {
    const Json* list = member(json, array);
    return list != nullptr && list->is_array() ? list->size() : 0;
  }

  // Entry `index` of the top-level array; an error names both.
  const Json& entry(const char* array, std::int64_t index) const {
    if (index < 0 || static_cast<std::size_t>(index) >= size(array)) {
      fail("'" + std::string(array) + "' has " + std::to_string(size(array)) + " entries, number " +
           std::to_string(index) + " was asked for (counted from 0)");
    }
    const Json& found = json[array][static_cast<std::size_t>(index)];
    if (!found.is_object()) fail("an entry of '" + std::string(array) + "' is no object");
    return found;
  }

  // A non-negative whole number; `fallback` when absent, an error when absent without fallback.
  std::int64_t whole(const Json& object, const char* key, std::optional<std::int64_t> fallback = {}) const {
    const Json* value = member(object, key);
    if (value == nullptr && fallback) return *fallback;
    if (value == nullptr) fail("'" + std::string(key) + "' is missing");
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() > std::numeric_limits<int>::max()) {
      fail("'" + std::string(key) + "' must be a whole number from 0 to 2147483647");
    }
    return value->get<std::int64_t>();
  }

  std::string text(const Json& object, const char* key) const {
    const Json* value = member(object, key);
    return value != nullptr && value->is_string() ? value->get<std::string>().substr(0, 200) : std::string();
  }

  // A list of node numbers, each checked.
  std::vector<int> indices(const Json& list, const char* key) const {
    if (!list.is_array()) fail("'" + std::string(key) + "' must be a list");
    std::vector<int> result;
    for (const Json& item : list) {
      if (!item.is_number_unsigned() || item.get<std::uint64_t>() >= size("nodes")) {
        fail("'" + std::string(key) + "' names a node that is not there");
      }
      result.push_back(item.get<int>());
    }
    return result;
  }

  std::string_view buffer(std::int64_t index) const {
    const Json& info = entry("buffers", index);
    const Json* uri = member(info, "uri");
    std::string_view bytes;
    if (uri == nullptr) {
      if (index != 0 || !is_binary)
        fail("buffer " + std::to_string(index) + " has no 'uri' and no binary chunk");
      bytes = chunk;
    } else {
      if (!uri->is_string()) fail("a buffer's 'uri' must be text");
      auto& slot = loaded[static_cast<std::size_t>(index)];
      if (!slot) slot = fetch_gltf_buffer(uri->get_ref<const std::string&>(), name);
      bytes = *slot;
    }
    const std::size_t length = static_cast<std::size_t>(whole(info, "byteLength"));
    if (length > bytes.size()) {
      fail("buffer " + std::to_string(index) + " claims " + std::to_string(length) + " bytes, but has " +
           std::to_string(bytes.size()));
    }
    return bytes.substr(0, length);
  }

  // `count` items of `item` bytes each, `stride` apart (0: packed), from a view; checked against its length.
  struct Items {
    const char* data;
    std::size_t stride;
  };
  Items items(std::int64_t view_index, std::int64_t offset, std::size_t count, std::size_t item) const {
    const Json& view = entry("bufferViews", view_index);
    const std::string_view bytes = buffer(whole(view, "buffer"));
    const std::size_t view_offset = static_cast<std::size_t>(whole(view, "byteOffset", 0));
    const std::size_t length = static_cast<std::size_t>(whole(view, "byteLength"));
    if (view_offset > bytes.size() || length > bytes.size() - view_offset) {
      fail("bufferView " + std::to_string(view_index) + " reaches past its buffer");
    }
    std::size_t stride = static_cast<std::size_t>(whole(view, "byteStride", 0));
    if (stride == 0) stride = item;
    if (stride < item || stride > 252)
      fail("bufferView " + std::to_string(view_index) + " has a 'byteStride' of " + std::to_string(stride));
    const std::size_t start = static_cast<std::size_t>(offset);
    if (count > 0 &&
        (start > length || length - start < item || (length - start - item) / stride < count - 1)) {
      fail("an accessor with " + std::to_string(count) + " items reaches past bufferView " +
           std::to_string(view_index));
    }
    return {bytes.data() + view_offset + start, stride};
  }

  std::vector<double> accessor(std::int64_t index, int wanted) const {
    const Json& info = entry("accessors", index);
    const int type = static_cast<int>(whole(info, "componentType"));
    const std::size_t size = static_cast<std::size_t>(component_size(type));
    if (size == 0)
      fail("accessor " + std::to_string(index) + " has the unknown 'componentType' " + std::to_string(type));
    const std::string shape = text(info, "type");
    const int has = shape == "SCALAR" ? 1
                    : shape == "VEC2" ? 2
                    : shape == "VEC3" ? 3
                    : shape == "VEC4" ? 4
                                      : 0;
    if (has != wanted && !(wanted == 3 && has == 4)) {
      fail("accessor " + std::to_string(index) + " is " + in_quotes(shape) + "; expected " +
           (wanted == 1 ? "SCALAR" : "VEC3"));
    }
    const Json* flag = member(info, "normalized");
    const bool normalized = flag != nullptr && flag->is_boolean() && flag->get<bool>();
    const std::size_t count = static_cast<std::size_t>(whole(info, "count"));
    const Json* view = member(info, "bufferView");
    const Json* sparse = member(info, "sparse");
    budget(count);
    std::vector<double> values;
    if (view == nullptr) {
      values.assign(count * wanted, 0.0);
    } else {
      const Items from = items(whole(info, "bufferView"), whole(info, "byteOffset", 0), count, size * has);
      values.reserve(count * wanted);
      for (std::size_t i = 0; i < count; ++i) {
        for (int k = 0; k < wanted; ++k)
          values.push_back(component_at(from.data + i * from.stride + k * size, type, normalized));
      }
    }
    if (sparse != nullptr && sparse->is_object())
      replace(*sparse, {type, static_cast<int>(size), has, normalized}, wanted, values);
    return values;
  }

  struct Layout {
    int type, size, has;
    bool normalized;
  };
  void replace(const Json& sparse, const Layout& layout, int wanted, std::vector<double>& values) const {
    const std::size_t count = static_cast<std::size_t>(whole(sparse, "count"));
    const Json *where = member(sparse, "indices"), *what = member(sparse, "values");
    if (where == nullptr || what == nullptr || !where->is_object() || !what->is_object()) {
      fail("a sparse accessor needs 'indices' and 'values'");
    }
    const int index_type = static_cast<int>(whole(*where, "componentType"));
    const std::size_t index_size = static_cast<std::size_t>(component_size(index_type));
    if (index_type != 5121 && index_type != 5123 && index_type != 5125)
      fail("sparse indices must be unsigned");
    budget(count);
    const Items at = items(whole(*where, "bufferView"), whole(*where, "byteOffset", 0), count, index_size);
    const Items from = items(whole(*what, "bufferView"), whole(*what, "byteOffset", 0), count,
                             static_cast<std::size_t>(layout.size * layout.has));
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t index =
          static_cast<std::size_t>(component_at(at.data + i * at.stride, index_type, false));
      if (index >= values.size() / wanted)
        fail("a sparse accessor replaces item " + std::to_string(index) + ", which is not there");
      for (int k = 0; k < wanted; ++k) {
        values[index * wanted + k] =
            component_at(from.data + i * from.stride + k * layout.size, layout.type, layout.normalized);
      }
    }
  }

  // An accessor without data means zeros, and many nodes may use one accessor: a few bytes of JSON must not
  // ask for gigabytes.
  void budget(std::size_t count) const {
    if (count > items_left)
      fail("the scene asks for much more data than the file holds; it repeats meshes or accessors too often");
    items_left -= count;
  }
  mutable std::size_t items_left{0};
};

GltfDocument::GltfDocument(std::string_view bytes, const std::string& name)
    : content_(std::make_unique<Content>()) {
  content_->name = name;
  content_->open(bytes);
}
GltfDocument::~GltfDocument() = default;

bool GltfDocument::is_binary() const { return content_->is_binary; }
std::size_t GltfDocument::node_count() const { return content_->size("nodes"); }

std::vector<GltfDocument::Primitive> GltfDocument::primitives_of(int mesh) const {
  const Json& info = content_->entry("meshes", mesh);
  const Json* list = Content::member(info, "primitives");
  if (list == nullptr || !list->is_array())
    content_->fail("mesh " + std::to_string(mesh) + " has no 'primitives'");
  // Every node that uses the mesh pays for its primitives again, also for those without data.
  content_->budget(32 * list->size());
  std::vector<Primitive> result;
  for (const Json& item : *list) {
    if (!item.is_object()) content_->fail("a primitive is no object");
    Primitive primitive;
    primitive.mesh_name = content_->text(info, "name");
    primitive.mode = static_cast<int>(content_->whole(item, "mode", 4));
    primitive.indices = static_cast<int>(content_->whole(item, "indices", -1));
    const Json* material = Content::member(item, "material");
    if (material != nullptr && material->is_number_unsigned() &&
        material->get<std::uint64_t>() < content_->size("materials"))
      primitive.material = material->get<int>();
    const Json* attributes = Content::member(item, "attributes");
    if (attributes != nullptr && attributes->is_object()) {
      primitive.positions = static_cast<int>(content_->whole(*attributes, "POSITION", -1));
      primitive.normals = static_cast<int>(content_->whole(*attributes, "NORMAL", -1));
      primitive.colors = static_cast<int>(content_->whole(*attributes, "COLOR_0", -1));
    }
    result.push_back(std::move(primitive));
  }
  return result;
}

GltfDocument::Material GltfDocument::material(int index) const {
  Material material;
  const Json& info = content_->entry("materials", index);
  const Json* surface = Content::member(info, "pbrMetallicRoughness");
  if (surface == nullptr || !surface->is_object()) return material;
  material.has_texture = Content::member(*surface, "baseColorTexture") != nullptr;
  const Json* factor = Content::member(*surface, "baseColorFactor");
  if (factor == nullptr || !factor->is_array() || factor->size() < 3) return material;
  Eigen::Vector3d color;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(*factor)[k].is_number()) return material;
    color[static_cast<Eigen::Index>(k)] = (*factor)[k].get<double>();
  }
  if ((color.array() >= 0.0).all() && (color.array() <= 1.0).all()) material.color = color;
  return material;
}

GltfDocument::Node GltfDocument::node(int index) const {
  const Json& info = content_->entry("nodes", index);
  Node node;
  node.name = content_->text(info, "name");
  node.mesh = static_cast<int>(content_->whole(info, "mesh", -1));
  node.has_skin = Content::member(info, "skin") != nullptr;
  if (const Json* children = Content::member(info, "children"))
    node.children = content_->indices(*children, "children");
  const auto numbers = [&](const char* key, std::size_t count) -> std::optional<std::vector<double>> {
    const Json* value = Content::member(info, key);
    if (value == nullptr) return std::nullopt;
    std::vector<double> result;
    for (std::size_t i = 0; value->is_array() && i < value->size(); ++i) {
      if ((*value)[i].is_number() && std::isfinite((*value)[i].get<double>()))
        result.push_back((*value)[i].get<double>());
    }
    if (result.size() != count) {
      content_->fail("'" + std::string(key) + "' of node " + std::to_string(index) + " must be " +
                     std::to_string(count) + " finite numbers");
    }
    return result;
  };
  node.matrix = numbers("matrix", 16);
  node.translation = numbers("translation", 3);
  node.rotation = numbers("rotation", 4);
  node.scale = numbers("scale", 3);
  return node;
}

std::vector<int> GltfDocument::roots() const {
  if (content_->size("scenes") > 0) {
    const Json& scene = content_->entry("scenes", content_->whole(content_->json, "scene", 0));
    const Json* nodes = Content::member(scene, "nodes");
    return nodes == nullptr ? std::vector<int>{} : content_->indices(*nodes, "nodes");
  }
  std::vector<bool> is_child(node_count(), false);
  for (std::size_t i = 0; i < is_child.size(); ++i) {
    for (int child : node(static_cast<int>(i)).children) is_child.at(static_cast<std::size_t>(child)) = true;
  }
  std::vector<int> result;
  for (std::size_t i = 0; i < is_child.size(); ++i) {
    if (!is_child[i]) result.push_back(static_cast<int>(i));
  }
  return result;
}

std::vector<double> GltfDocument::numbers(int accessor, int components) const {
  return content_->accessor(accessor, components);
}

std::vector<std::size_t> GltfDocument::whole_numbers(int accessor) const {
  std::vector<std::size_t> result;
  for (double value : content_->accessor(accessor, 1)) {
    if (!(value >= 0) || value != std::floor(value) || value > 4294967295.0)
      content_->fail("an index is no whole number");
    result.push_back(static_cast<std::size_t>(value));
  }
  return result;
}

std::vector<std::string> GltfDocument::required_extensions() const {
  std::vector<std::string> result;
  const Json* list = Content::member(content_->json, "extensionsRequired");
  for (std::size_t i = 0; list != nullptr && list->is_array() && i < list->size(); ++i) {
    if ((*list)[i].is_string()) result.push_back((*list)[i].get<std::string>().substr(0, 200));
  }
  return result;
}

}  // namespace prehend::model
