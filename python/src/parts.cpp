// prehend.parts: what is it made of?
#include "bindings.h"
#include "length_unit.h"
#include <prehend/parts/segmentation.h>
#include <prehend/parts/segmentation_files.h>

namespace prehend::python {
namespace {

using Eigen::Vector3d;
using parts::Segmentation;
using parts::SegmentedPart;

parts::SegmentOptions options_of(std::optional<int> count, const std::string& method,
                                 const std::optional<Eigen::Vector4d>& support) {
  parts::SegmentOptions options;
  options.parts = count;
  options.support = support;
  options.method = parts::segment_method(method);
  return options;
}

void bind_result(nb::module_& m) {
  auto part = nb::class_<SegmentedPart>(m, "SegmentedPart", "One part.");
  part.def_ro("label", &SegmentedPart::label)
      .def_ro("points", &SegmentedPart::points, "points of a cloud, triangles of a mesh")
      .def_ro("volume", &SegmentedPart::volume, "[m^3]")
      .def_ro("centroid", &SegmentedPart::centroid, "[m]")
      .def_ro("second_moments", &SegmentedPart::second_moments, "[m^5] integral of x x^T about the centroid")
      .def_ro("colour", &SegmentedPart::colour, "mean red, green, blue; negative without colours");
  def_result(part);
  auto result = nb::class_<Segmentation>(m, "Segmentation", "What an object is made of.");
  result
      .def_prop_ro(
          "status", [](const Segmentation& s) { return to_string(s.status); }, "'ok' or 'undetermined'")
      .def_prop_ro(
          "reason", [](const Segmentation& s) { return text(s.reason); }, "a sentence, unless ok")
      .def_ro("parts", &Segmentation::parts, "by falling volume")
      .def_ro("labels", &Segmentation::labels, "per point or triangle; -1: left out")
      .def_ro("volume", &Segmentation::volume, "[m^3]")
      .def_ro("coplanar", &Segmentation::coplanar,
              "weight and centre of mass alone do not determine all masses")
      .def_ro("shells", &Segmentation::shells, "solids that the mesh's shells bound; 0 for clouds")
      .def_prop_ro(
          "leaves", [](const Segmentation& s) { return s.tree.leaves; }, "the most parts there can be")
      .def_prop_ro(
          "merges",
          [](const Segmentation& s) {
            std::vector<Vector3d> rows;
            for (const parts::PartMerge& merge : s.tree.merges)
              rows.emplace_back(merge.a, merge.b, merge.cost);
            return rows;
          },
          "(leaves - 1, 3): nodes a and b and the cost; merge k makes node leaves + k")
      .def_ro("leaf_of", &Segmentation::leaf_of, "per point or triangle; -1: left out")
      .def_prop_ro(
          "sample_points",
          [](const Segmentation& s) {
            std::vector<Vector3d> points;
            for (const parts::VolumeSample& sample : s.samples) points.push_back(sample.point);
            return points;
          },
          "(n, 3) [m]: with sample_volumes they reproduce every part's volume, centroid and second moments")
      .def_prop_ro(
          "sample_volumes",
          [](const Segmentation& s) {
            std::vector<double> volumes;
            for (const parts::VolumeSample& sample : s.samples) volumes.push_back(sample.volume);
            return volumes;
          },
          "[m^3]")
      .def_prop_ro("sample_leaves",
                   [](const Segmentation& s) {
                     std::vector<int> leaves;
                     for (const parts::VolumeSample& sample : s.samples) leaves.push_back(sample.leaf);
                     return leaves;
                   })
      .def("cut", &Segmentation::cut, "count"_a, "Another number of parts of the same tree.")
      .def(
          "to_json", [](const Segmentation& s) { return text(s.to_json()); },
          "As the command line prints it with --json.")
      .def("hierarchy_json", [](const Segmentation& s) { return text(s.hierarchy_json()); })
      .def(
          "write_parts", [](const Segmentation& s, const Path& path) { parts::write_parts(path.text, s); },
          "path"_a, "The samples as PLY, for inertia.read_parts() and identify --parts.")
      .def("brief_report", [](const Segmentation& s) { return text(s.brief_report()); });
  def_texts(result, "problems", &Segmentation::problems, "sentences");
  def_result(result);
}

}  // namespace

void bind_parts(nb::module_& m) {
  bind_result(m);
  m.def(
      "segment_cloud",
      [](const PointRows& points, const PointRows& colours, std::optional<int> count,
         const std::string& method, const std::optional<Eigen::Vector4d>& support) {
        return parts::segment_cloud(points.of("points"), colours.of("colours"),
                                    options_of(count, method, support));
      },
      "points"_a, "colours"_a = PointRows{}, nb::kw_only(), "parts"_a = nb::none(), "method"_a = "ours",
      "support"_a = nb::none(), Released(),
      R"(Parts of a cloud: points (n, 3) [m], colours (n, 3) in [0, 1] where there are.

>>> import numpy as np
>>> from prehend.parts import segment_cloud
>>> random = np.random.default_rng(1)
>>> ball = random.normal(size=(500, 3))
>>> found = segment_cloud(0.1 * ball / np.linalg.norm(ball, axis=1)[:, None], parts=1)
>>> found.status, len(found.parts), bool(abs(found.volume - 4.19e-3) < 0.2e-3)
('ok', 1, True)
)");
  m.def(
      "segment_mesh",
      [](const geometry::TriangleMesh& mesh, const std::vector<Vector3d>& colours, std::optional<int> count,
         const std::string& method) {
        return parts::segment_mesh(mesh, colours, options_of(count, method, std::nullopt));
      },
      "mesh"_a, "colours"_a = std::vector<Vector3d>{}, nb::kw_only(), "parts"_a = nb::none(),
      "method"_a = "ours", Released(),
      R"(Parts of a mesh: its closed shells, exactly, or more or fewer; colours one per triangle where there are.

>>> from prehend.geometry import make_box
>>> from prehend.parts import segment_mesh
>>> found = segment_mesh(make_box([1, 2, 3]), parts=1)
>>> found.shells, round(found.volume, 9)
(1, 6.0)
)");
  m.def(
      "segment_file",
      [](const Path& path, std::optional<int> count, const std::string& method,
         const std::optional<Eigen::Vector4d>& support, const LengthUnit& unit) {
        const parts::SegmentOptions options = options_of(count, method, support);
        return parts::segment(parts::read_segment_input(path.text, metres(unit)), options);
      },
      "path"_a, nb::kw_only(), "parts"_a = nb::none(), "method"_a = "ours", "support"_a = nb::none(),
      "unit"_a = LengthUnit(1.0), Released(),
      R"(Parts of a mesh or a cloud in a file, with its colours where it has them, as the command line's `segment` answers.

>>> import pathlib, tempfile
>>> import prehend
>>> with tempfile.TemporaryDirectory() as folder:
...     path = pathlib.Path(folder) / "box.obj"
...     prehend.write_mesh(path, prehend.geometry.make_box([100, 200, 300]))
...     round(prehend.parts.segment_file(path, parts=1, unit="mm").volume, 9)
0.006
)");
}

}  // namespace prehend::python
