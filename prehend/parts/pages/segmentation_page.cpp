#include <algorithm>
#include <cstdio>

#include <prehend/geometry/house/mesh_shells.h>
#include <prehend/parts/pages.h>

namespace prehend::parts {
namespace {

// The tree is shown up to so many parts, as long as its pictures together have no more triangles than this: some 10 MB.
constexpr int kMostShown = 12, kMostTriangles = 400'000;

// The surface by part, for one number of parts. Parts of a mesh keep its triangles; those of a cloud the solid's.
std::vector<geometry::TriangleMesh> surfaces(const geometry::TriangleMesh& shape, const Segmentation& s) {
  const geometry::TriangleMesh& mesh = s.is_mesh ? shape : s.surface;
  const std::vector<int>& leaf = s.is_mesh ? s.leaf_of : s.surface_leaf;
  const std::vector<int> label_of = s.leaf_labels();
  std::vector<std::vector<int>> triangles(s.parts.size());
  for (std::size_t t = 0; t < leaf.size(); ++t)
    if (leaf[t] >= 0 && label_of[leaf[t]] >= 0) triangles[label_of[leaf[t]]].push_back(static_cast<int>(t));
  std::vector<geometry::TriangleMesh> result;
  for (const std::vector<int>& part : triangles) result.push_back(geometry::submesh(mesh, part));
  return result;
}

report::SceneBody drawn(const SegmentedPart& part, geometry::TriangleMesh mesh, double volume) {
  report::SceneBody body;
  body.name = "part " + std::to_string(part.label);
  body.mesh_B = std::move(mesh);
  body.colour = report::palette_colour(static_cast<std::size_t>(part.label));
  body.properties = {report::number_fact("volume", 1e6 * part.volume, "cm³"),
                     report::number_fact("share", 100.0 * part.volume / volume, "%")};
  return body;
}

report::Scene3d exploded_scene(const geometry::TriangleMesh& shape, const Segmentation& s) {
  report::Scene3d scene;
  scene.caption = "The parts";
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const SegmentedPart& part : s.parts) middle += part.volume / s.volume * part.centroid;
  report::Motion motion;
  motion.name = "exploded";
  motion.note = "Every part away from the object's centroid, as far again as its own is.";
  motion.playback = report::Motion::Playback::back_and_forth;
  constexpr int kFrames = 31;
  for (int k = 0; k < kFrames; ++k) motion.times.push_back(k / 15.0);
  std::vector<geometry::TriangleMesh> meshes = surfaces(shape, s);
  for (std::size_t i = 0; i < s.parts.size(); ++i) {
    if (meshes[i].triangles.empty()) continue;
    report::BodyTrack track{scene.add_body(drawn(s.parts[i], std::move(meshes[i]), s.volume)), {}};
    for (int k = 0; k < kFrames; ++k)
      track.X_WB.push_back(
          math::Pose::translation(static_cast<double>(k) / (kFrames - 1) * (s.parts[i].centroid - middle)));
    motion.tracks.push_back(std::move(track));
  }
  if (s.parts.size() > 1) scene.initial_motion = scene.add_motion(std::move(motion));
  return scene;
}

// One frame for each number of parts.
report::Scene3d tree_scene(const geometry::TriangleMesh& shape, Segmentation s) {
  report::Scene3d scene;
  scene.caption = "The tree, from one part to many";
  report::Motion motion;
  motion.name = "number of parts";
  const std::size_t triangles =
      std::max<std::size_t>(1, s.is_mesh ? shape.triangles.size() : s.surface.triangles.size());
  const int most = std::min({kMostShown, s.tree.leaves, static_cast<int>(kMostTriangles / triangles)});
  for (int count = 1; count <= most; ++count) {
    s.cut(count);
    motion.times.push_back(count - 1.0);
    std::vector<geometry::TriangleMesh> meshes = surfaces(shape, s);
    for (std::size_t i = 0; i < s.parts.size(); ++i) {
      if (meshes[i].triangles.empty()) continue;
      report::SceneBody body = drawn(s.parts[i], std::move(meshes[i]), s.volume);
      body.name += " of " + std::to_string(count);
      const std::size_t frame = static_cast<std::size_t>(count - 1);
      motion.spans.push_back({scene.add_body(std::move(body)), frame, frame});
    }
  }
  if (most > 1) scene.initial_motion = scene.add_motion(std::move(motion));
  return scene;
}

report::Table volume_table(const Segmentation& s) {
  report::Table table;
  table.caption = "Volumes";
  table.columns = {{"part", "", 4, ""},        {s.is_mesh ? "triangles" : "points", "", 6, ""},
                   {"volume", "cm³", 4, ""},   {"share", "%", 3, ""},
                   {"centroid x", "m", 4, ""}, {"y", "m", 4, ""},
                   {"z", "m", 4, ""}};
  for (const SegmentedPart& part : s.parts)
    table.rows.push_back({static_cast<double>(part.label), static_cast<double>(part.points),
                          1e6 * part.volume, 100.0 * part.volume / s.volume, part.centroid.x(),
                          part.centroid.y(), part.centroid.z()});
  return table;
}

}  // namespace

report::Page segmentation_page(const geometry::TriangleMesh& shape, const Segmentation& s) {
  report::Page page("What is it made of?");
  if (s.status != SegmentStatus::ok) {
    page.set_verdict(report::Verdict::bad, s.reason);
    return page;
  }
  char volume[40];
  std::snprintf(volume, sizeof volume, "%.4g", 1e6 * s.volume);
  page.set_verdict(s.problems.empty() ? report::Verdict::good : report::Verdict::note,
                   (s.parts.size() == 1 ? "One part" : std::to_string(s.parts.size()) + " parts") + ", " +
                       volume + " cm³ together.");
  std::string text;
  if (s.coplanar)
    text +=
        "- The parts' centroids lie in one plane or on one line: weight and centre of mass alone do not tell "
        "all their masses.\n";
  for (const std::string& problem : s.problems) text += "- " + problem + "\n";
  if (!text.empty()) page.add_text(text);
  const report::SceneIndex scene = page.add(exploded_scene(shape, s));
  report::Table table = volume_table(s);
  table.scene = scene;
  const std::vector<geometry::TriangleMesh> meshes = surfaces(shape, s);
  int body = 0;
  for (const geometry::TriangleMesh& mesh : meshes) {
    report::RowLink link;
    if (!mesh.triangles.empty()) link.body = report::BodyIndex(body++);
    table.links.push_back(link);
  }
  page.add(std::move(table));
  if (s.tree.leaves > 1) {
    page.add_heading("Coarser and finer");
    page.add_text("The slider goes from one part to " + std::to_string(std::min(kMostShown, s.tree.leaves)) +
                  "; every part lies inside one of the step before. `--parts N` takes any number up to " +
                  std::to_string(s.tree.leaves) + ".");
    page.add(tree_scene(shape, s));
  }
  return page;
}

}  // namespace prehend::parts
