#include <cstring>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "expect_input_error.h"
#include <prehend/model/mesh_file.h>

namespace prehend::model {
namespace {

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string base64(const std::string& bytes) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digits[word >> (18 - 6 * k) & 63];
  }
  return out;
}

// Four corners of a unit square in the x-y plane (36 + 12 bytes), then indices as bytes.
const std::string kSquareBytes =
    raw<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}) + std::string("\0\1\2\0\2\3", 6);

struct Parts {
  std::string nodes = R"([{"mesh":0}])";
  std::string primitive = R"({"attributes":{"POSITION":0},"indices":1})";
  std::string accessors = R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},
                             {"bufferView":1,"componentType":5121,"count":6,"type":"SCALAR"})";
  std::string views = R"({"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":6})";
  std::string bytes = kSquareBytes;
  std::string more;
  std::string uri;
  std::string json() const {
    const std::string address = uri.empty() ? "data:application/octet-stream;base64," + base64(bytes) : uri;
    return R"({"asset":{"version":"2.0"},)" + more + R"("nodes":)" + nodes +
           R"(,"meshes":[{"name":"m","primitives":[)" + primitive + R"(]}],"accessors":[)" + accessors +
           R"(],"bufferViews":[)" + views + R"(],"buffers":[{"byteLength":)" + std::to_string(bytes.size()) +
           R"(,"uri":")" + address + R"("}]})";
  }
};

MeshFile parsed_gltf(const Parts& parts) { return parse_mesh(parts.json(), MeshFormat::gltf, "a.gltf"); }

Eigen::Vector3d vector_area(const geometry::TriangleMesh& mesh) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3i& t : mesh.triangles) {
    sum += 0.5 * (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
  }
  return sum;
}

TEST(GltfFile, TurnsYUpToZUp) {
  const MeshFile file = parsed_gltf({});
  EXPECT_EQ(file.encoding, "json");
  EXPECT_EQ(file.mesh.triangles, (std::vector<Eigen::Vector3i>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(file.mesh.vertices[2], Eigen::Vector3d(1, 0, 1));  // up in the file is up here
  EXPECT_EQ(vector_area(file.mesh), Eigen::Vector3d(0, -1, 0));
  EXPECT_EQ(file.groups, (std::vector<std::string>{"m"}));
  EXPECT_EQ(file.notes[0], "glTF is Y-up; the mesh was turned to Z-up: (x, y, z) became (x, -z, y)");
}

TEST(GltfFile, NodeTransformsComposeAndMirrorsKeepOutside) {
  Parts parts;
  // A parent moved by (0,10,0) and scaled by 2; a child turned by 90 degrees about x; a mirrored sibling by
  // matrix.
  parts.nodes = R"([{"children":[1,2],"translation":[0,10,0],"scale":[2,2,2]},
                    {"name":"child","mesh":0,"rotation":[0.7071067811865476,0,0,0.7071067811865476]},
                    {"mesh":0,"matrix":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 5,0,0,1]}])";
  const MeshFile file = parsed_gltf(parts);
  EXPECT_EQ(file.groups, (std::vector<std::string>{"child", "m"}));
  ASSERT_EQ(file.mesh.vertices.size(), 8u);
  // (1,1,0) turned about x: (1,0,1); scaled and moved: (2,10,2); to Z-up: (2,-2,10).
  EXPECT_LT((file.mesh.vertices[2] - Eigen::Vector3d(2, -2, 10)).norm(), 1e-14);
  // (1,1,0) mirrored: (4,1,0); scaled and moved: (8,12,0); to Z-up: (8,0,12).
  EXPECT_LT((file.mesh.vertices[6] - Eigen::Vector3d(8, 0, 12)).norm(), 1e-14);
  geometry::TriangleMesh mirrored = file.mesh;
  mirrored.triangles.erase(mirrored.triangles.begin(), mirrored.triangles.begin() + 2);
  EXPECT_LT((vector_area(mirrored) - Eigen::Vector3d(0, -4, 0)).norm(), 1e-14);  // still facing the front
}

TEST(GltfFile, StripsFansUnindexedAndStrides) {
  Parts strip;
  strip.bytes = raw<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0});
  strip.views = R"({"buffer":0,"byteLength":48})";
  strip.accessors = R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"})";
  strip.primitive = R"({"attributes":{"POSITION":0},"mode":5})";
  EXPECT_EQ(parsed_gltf(strip).mesh.triangles, (std::vector<Eigen::Vector3i>{{0, 1, 2}, {1, 3, 2}}));
  Parts fan;
  fan.primitive = R"({"attributes":{"POSITION":0},"mode":6})";
  EXPECT_EQ(parsed_gltf(fan).mesh.triangles, (std::vector<Eigen::Vector3i>{{0, 1, 2}, {0, 2, 3}}));
  // Position and colour interleaved: 12 + 4 bytes.
  Parts interleaved;
  interleaved.bytes.clear();
  for (int i = 0; i < 3; ++i) {
    interleaved.bytes +=
        raw<float>({static_cast<float>(i), static_cast<float>(i * i), 0}) + std::string("\xff\0\x33\xff", 4);
  }
  interleaved.views = R"({"buffer":0,"byteLength":48,"byteStride":16})";
  interleaved.accessors = R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
    {"bufferView":0,"byteOffset":12,"componentType":5121,"normalized":true,"count":3,"type":"VEC4"})";
  interleaved.primitive = R"({"attributes":{"POSITION":0,"COLOR_0":1}})";
  const MeshFile file = parsed_gltf(interleaved);
  EXPECT_EQ(file.mesh.vertices[2], Eigen::Vector3d(2, 0, 4));
  EXPECT_EQ(file.vertex_colors, std::vector<Eigen::Vector3d>(3, Eigen::Vector3d(1, 0, 0.2)));
}

TEST(GltfFile, SparseAndNormalizedAccessors) {
  Parts parts;
  parts.bytes = kSquareBytes + std::string("\x02\0", 2) + raw<float>({7, 8, 9});
  parts.views = R"({"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":6},
                   {"buffer":0,"byteOffset":54,"byteLength":1},{"buffer":0,"byteOffset":56,"byteLength":12})";
  parts.accessors = R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","sparse":{"count":1,
                        "indices":{"bufferView":2,"componentType":5121},"values":{"bufferView":3}}},
                       {"bufferView":1,"componentType":5121,"count":6,"type":"SCALAR"})";
  EXPECT_EQ(parsed_gltf(parts).mesh.vertices[2], Eigen::Vector3d(7, -9, 8));
  Parts small;
  small.bytes = raw<std::int16_t>({32767, -32768, 0, 0, 0, 16384, 0, 32767, 0, 0});
  small.views = R"({"buffer":0,"byteLength":18})";
  small.accessors = R"({"bufferView":0,"componentType":5122,"normalized":true,"count":3,"type":"VEC3"})";
  small.primitive = R"({"attributes":{"POSITION":0}})";
  const auto vertices = parsed_gltf(small).mesh.vertices;
  EXPECT_EQ(vertices[0], Eigen::Vector3d(1, 0, -1));
  EXPECT_EQ(vertices[1].y(), -16384 / 32767.0);
}

TEST(GltfFile, FilesBesideItButNotElsewhere) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "model/sub");
  folder.write("model/sub/a b.bin", kSquareBytes);
  folder.write("secret.bin", kSquareBytes);
  Parts parts;
  parts.uri = "sub/a%20b.bin";
  const std::string path = folder.write("model/a.gltf", parts.json());
  EXPECT_EQ(read_mesh(path).triangles.size(), 2u);
  std::filesystem::create_symlink(folder / "secret.bin", folder / "model/link.bin");
  for (const std::string bad : {"../secret.bin", "sub/../../secret.bin", "%2e%2e/secret.bin", "/etc/passwd",
                                "http://x/y.bin", "file:///etc/passwd", "..\\\\secret.bin", "link.bin"}) {
    parts.uri = bad;
    folder.write("model/a.gltf", parts.json());
    EXPECT_THROW(read_mesh(path), InputError) << bad;
  }
  parts.uri = "../secret.bin";
  folder.write("model/a.gltf", parts.json());
  expect_input_error(
      [&] { read_mesh(path); }, 0,
      "glTF: buffer file '../secret.bin' is not in the folder of the .gltf; only files there are read");
  parts.uri = "link.bin";
  folder.write("model/a.gltf", parts.json());
  expect_input_error([&] { read_mesh(path); }, 0, "leads out of the folder of the .gltf");
  parts.uri = "absent.bin";
  folder.write("model/a.gltf", parts.json());
  expect_input_error([&] { read_mesh(path); }, 0, "cannot open the file");
  expect_input_error([&] { parsed_gltf(parts); }, 0,
                     "buffer file 'absent.bin' cannot be found without the .gltf's folder");
}

TEST(GltfFile, MaterialsColourTriangles) {
  const auto with = [](const std::string& materials, const std::string& index) {
    Parts parts;
    parts.more = R"("materials":[)" + materials + "],";
    parts.primitive = R"({"attributes":{"POSITION":0},"indices":1,"material":)" + index +
                      R"(},{"attributes":{"POSITION":0},"indices":1})";
    return parsed_gltf(parts);
  };
  const std::string red = R"({"pbrMetallicRoughness":{"baseColorFactor":[0.5,0.25,0,1]}})";
  const Eigen::Vector3d white(1, 1, 1), orange(0.5, 0.25, 0);
  MeshFile file = with(red, "0");
  EXPECT_EQ(file.triangle_colors, (std::vector<Eigen::Vector3d>{orange, orange, white, white}));
  EXPECT_EQ(file.notes.size(), 1u);
  // Images are not read, and that is known.
  file = with(R"({"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}})", "0");
  EXPECT_TRUE(file.triangle_colors.empty());
  ASSERT_EQ(file.notes.size(), 2u);
  EXPECT_EQ(file.notes[1], "textures were ignored: colours that are images are not read");
  // A material that cannot be read does not keep the shape from being read.
  for (const std::string bad : {"7", "-1", "\"a\""})
    EXPECT_TRUE(with(red, bad).triangle_colors.empty()) << bad;
  file = with(R"({"pbrMetallicRoughness":{"baseColorFactor":[2,"a"]}})", "0");
  EXPECT_EQ(file.triangle_colors, std::vector<Eigen::Vector3d>(4, white));
}

TEST(GltfFile, BadDocuments) {
  const auto with = [](auto change) {
    Parts parts;
    change(parts);
    return [parts] { parsed_gltf(parts); };
  };
  expect_input_error([] { parse_mesh("{\"asset\":\n{", MeshFormat::gltf, "a"); }, 2,
                     "glTF: the JSON is damaged or truncated at byte");
  expect_input_error([] { parse_mesh("{\"a\":1e999}", MeshFormat::gltf, "a"); }, 0,
                     "glTF: the JSON holds a number that is too large");
  expect_input_error([] { parse_mesh("[]", MeshFormat::gltf, "a"); }, 0, "glTF: the JSON must be an object");
  expect_input_error([] { parse_mesh("{}", MeshFormat::gltf, "a"); }, 0,
                     "'asset.version' is missing; expected 2.0");
  expect_input_error([] { parse_mesh(R"({"asset":{"version":"1.0"}})", MeshFormat::gltf, "a"); }, 0,
                     "version '1.0' is not read; expected 2.0");
  expect_input_error([] { parse_mesh(R"({"asset":{"version":"2.0"}})", MeshFormat::gltf, "a"); }, 0,
                     "the scene holds no triangles");
  expect_input_error([] { parse_mesh(std::string(200, '['), MeshFormat::gltf, "a"); }, 0,
                     "nested more than 100 levels deep");
  expect_input_error(
      with([](Parts& p) { p.more = R"("extensionsRequired":["KHR_draco_mesh_compression"],)"; }), 0,
      "requires the extension 'KHR_draco_mesh_compression', which is not read");
  expect_input_error(with([](Parts& p) { p.nodes = R"([{"mesh":3}])"; }), 0,
                     "'meshes' has 1 entries, number 3 was asked for");
  expect_input_error(with([](Parts& p) { p.nodes = R"([{"mesh":-1}])"; }), 0,
                     "'mesh' must be a whole number from 0");
  expect_input_error(with([](Parts& p) { p.nodes = R"([{"children":[7]}])"; }), 0,
                     "'children' names a node that is not there");
  expect_input_error(with([](Parts& p) {
                       p.nodes = R"([{"children":[0]}])";
                       p.more = R"("scenes":[{"nodes":[0]}],)";
                     }),
                     0, "a node is its own ancestor, or the child of two nodes");
  expect_input_error(with([](Parts& p) { p.nodes = R"([{"mesh":0,"rotation":[0,0,0,2]}])"; }), 0,
                     "has norm 2; expected 1");
  expect_input_error(with([](Parts& p) { p.nodes = R"([{"mesh":0,"scale":[1,1]}])"; }), 0,
                     "'scale' of node 0 must be 3 finite numbers");
  expect_input_error(
      with([](Parts& p) { p.nodes = R"([{"mesh":0,"matrix":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}])"; }), 0,
      "last row other than 0 0 0 1");
  expect_input_error(with([](Parts& p) { p.bytes[48] = 4; }), 0,
                     "mesh 'm' uses vertex 4, but there are 4 (counted from 0)");
  expect_input_error(with([](Parts& p) {
                       p.accessors =
                           R"({"bufferView":0,"componentType":5126,"count":4000000000,"type":"VEC3"})";
                     }),
                     0, "'count' must be a whole number from 0 to 2147483647");
  expect_input_error(with([](Parts& p) {
                       p.accessors = R"({"componentType":5126,"count":2000000000,"type":"VEC3"})";
                       p.primitive = R"({"attributes":{"POSITION":0}})";
                     }),
                     0, "asks for much more data than the file holds");
  expect_input_error(with([](Parts& p) {
                       p.accessors = R"({"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"})";
                     }),
                     0, "an accessor with 5 items reaches past bufferView 0");
  expect_input_error(with([](Parts& p) {
                       p.accessors = R"({"bufferView":0,"componentType":5130,"count":4,"type":"VEC3"})";
                     }),
                     0, "unknown 'componentType' 5130");
  expect_input_error(with([](Parts& p) {
                       p.accessors = R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC2"})";
                     }),
                     0, "is 'VEC2'; expected VEC3");
  expect_input_error(with([](Parts& p) { p.views = R"({"buffer":0,"byteLength":480})"; }), 0,
                     "bufferView 0 reaches past its buffer");
  expect_input_error(with([](Parts& p) { p.views = R"({"buffer":0,"byteLength":48,"byteStride":4})"; }), 0,
                     "has a 'byteStride' of 4");
  expect_input_error(with([](Parts& p) { p.primitive = R"({"attributes":{}})"; }), 0,
                     "a primitive has no POSITION");
  expect_input_error(with([](Parts& p) { p.primitive = R"({"attributes":{"POSITION":0},"mode":9})"; }), 0,
                     "unknown primitive mode 9");
  expect_input_error(with([](Parts& p) { p.primitive = R"({"attributes":{"POSITION":0}})"; }), 0,
                     "a list of triangles has 4 corners; expected a multiple of 3");
  expect_input_error(with([](Parts& p) { p.uri = "data:;base64,!!"; }), 0,
                     "holds characters that are not base64");
  expect_input_error(with([](Parts& p) { p.uri = "data:text/plain,abc"; }), 0,
                     "a data: address must be base64");
  expect_input_error(with([](Parts& p) { p.bytes.replace(0, 4, std::string("\0\0\xc0\x7f", 4)); }), 0,
                     "vertex 0 of mesh 'm' is not finite");
}

TEST(GltfFile, ManyUsesOfOneMeshAreBounded) {
  // 20 000 nodes times 20 000 primitives would be 400 million visits.
  Parts parts;
  parts.nodes = "[";
  for (int i = 0; i < 20000; ++i) parts.nodes += i == 0 ? R"({"mesh":0})" : R"(,{"mesh":0})";
  parts.nodes += "]";
  const std::string one = R"({"attributes":{"POSITION":0},"mode":1})";
  parts.primitive = one;
  for (int i = 1; i < 20000; ++i) parts.primitive += "," + one;
  expect_input_error([&] { parsed_gltf(parts); }, 0, "it repeats meshes or accessors too often");
}

TEST(GltfFile, BadBinaryContainers) {
  const auto glb = [](std::string bytes) {
    return [bytes] { parse_mesh(bytes, MeshFormat::gltf, "a.glb"); };
  };
  const auto word = [](std::uint32_t value) { return raw<std::uint32_t>({value}); };
  expect_input_error(glb("glTF" + word(2)), 0, "the .glb is truncated within its header");
  expect_input_error(glb("glTF" + word(1) + word(20) + word(0) + word(0)), 0,
                     ".glb version 1 is not read; expected 2");
  expect_input_error(glb("glTF" + word(2) + word(4000000000u) + word(0) + word(0)), 0,
                     "the .glb header claims 4000000000 bytes, the file has 20");
  expect_input_error(glb("glTF" + word(2) + word(20) + word(99) + word(0x4E4F534A)), 0,
                     "chunk 0 of the .glb is truncated");
  expect_input_error(glb("glTF" + word(2) + word(20) + word(0) + word(0x004E4942)), 0,
                     "the first chunk of the .glb must be JSON");
}

}  // namespace
}  // namespace prehend::model
