#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <prehend/math/random.h>
#include <prehend/model/files.h>
#include <prehend/report/html/viewer_bundle.h>
#include <prehend/report/test/sample_page.h>
#include <prehend/report/write_report.h>

namespace prehend::report {
namespace {

namespace fs = std::filesystem;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class WriteReport : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("prehend_report_" + std::to_string(::getpid()) + "_" +
                                           testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }
  fs::path folder_;
};

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

nlohmann::json head(const std::string& html) {
  const std::string open = "<script type=\"application/json\" id=\"prehend-page\">";
  const std::size_t start = html.find(open) + open.size();
  return nlohmann::json::parse(html.substr(start, html.find("</script>", start) - start));
}

TEST_F(WriteReport, IsOneFileThatAsksNoNetwork) {
  const std::string path = folder_ / "report.html";
  write_report(sample_page(), path);
  EXPECT_EQ(files(), 1u);
  const std::string html = model::read_file(path);
  EXPECT_EQ(html.rfind("<!doctype html>", 0), 0u);
  EXPECT_EQ(html.substr(html.size() - 8), "</html>\n");
  EXPECT_EQ(count(html, "<script src"), 0u);
  EXPECT_EQ(count(html, "<link rel=\"stylesheet"), 0u);
  EXPECT_NE(html.find(viewer_script_hash()), std::string::npos);
  EXPECT_NE(html.find(viewer_script()), std::string::npos);
  const nlohmann::json page = head(html);
  EXPECT_EQ(page["title"], "Will the stack hold?");
  EXPECT_EQ(page["sections"].size(), 3u);
  EXPECT_EQ(page["sections"][0]["blocks"][1]["bodies"].size(), 5u);
  EXPECT_EQ(page["sections"][0]["blocks"][1]["motions"][0]["frames"], 401);
}

TEST_F(WriteReport, IsTheSameEveryTime) { EXPECT_EQ(report_html(sample_page()), report_html(sample_page())); }

TEST_F(WriteReport, HostileNamesStayText) {
  const std::string html = report_html(hostile_page());
  // The three script elements of the page itself, and none from a name.
  const std::string outside = html.substr(0, html.find(viewer_script()));
  EXPECT_EQ(count(outside, "<script"), 3u);
  EXPECT_EQ(count(outside, "</script"), 2u);
  EXPECT_EQ(count(outside, "<img"), 0u);
  EXPECT_EQ(count(outside, "<title>"), 1u);
  EXPECT_EQ(count(outside, "</title>"), 1u);
  const std::string name = head(html)["sections"][0]["blocks"][1]["bodies"][0]["name"];
  EXPECT_EQ(name.rfind("</script><script>window.broken=1</script>", 0), 0u);
  EXPECT_NE(name.find("\xEF\xBF\xBD"), std::string::npos);
}

TEST_F(WriteReport, TheViewerItselfFitsIntoAPage) {
  EXPECT_EQ(viewer_script().find("</script"), std::string_view::npos);
  EXPECT_EQ(viewer_script().find("<!--"), std::string_view::npos);
  EXPECT_EQ(viewer_style().find("</style"), std::string_view::npos);
  EXPECT_LT(viewer_script().size() + viewer_style().size(), 1500000u);
}

TEST_F(WriteReport, NumbersThatAreNoNumbersAreSaidSo) {
  EXPECT_EQ(number_fact("mass", kNan, "kg").value, "n/a");
  EXPECT_EQ(number_fact("push", 1.0 / 0.0, "N").value, "unbounded");
  EXPECT_EQ(number_fact("push", 1.0 / 0.0, "N").unit, "");
  EXPECT_EQ(number_fact("mass", 1.23456, "kg").value, "1.235");
  Page page("x");
  page.add(Table{"t", {{"a", "", 4, ""}}, {{kNan}, {1.0 / 0.0}, {-1.0 / 0.0}, {0.1}}, {}, {}});
  const auto rows = head(report_html(page))["sections"][0]["blocks"][0]["rows"];
  EXPECT_EQ(rows.dump(), R"([[{"special":"nan"}],[{"special":"inf"}],[{"special":"-inf"}],[0.1]])");
}

// Every way in which a page cannot be shown: what is wrong, where, and nothing on disk.
TEST_F(WriteReport, RefusesWhatItCannotShowAndWritesNothing) {
  struct Case {
    const char* message;
    std::function<void(Scene3d&)> spoil;
  };
  const Case cases[] = {
      {"scene 1, body 'ball': a vertex is not finite",
       [](Scene3d& s) { s.bodies[4].mesh_B.vertices[3].x() = kNan; }},
      {"scene 1, body 'ball': a triangle names vertex 99999; the mesh has",
       [](Scene3d& s) { s.bodies[4].mesh_B.triangles[0][1] = 99999; }},
      {"body 'ball': opacity 2", [](Scene3d& s) { s.bodies[4].opacity = 2.0; }},
      {"body 'ball': its position is not finite",
       [](Scene3d& s) { s.bodies[4].X_WB = math::Pose::translation({kNan, 0, 0}); }},
      {"the map 'Robustness' has 1 values for", [](Scene3d& s) { s.bodies[4].maps[0].values.resize(1); }},
      {"the map 'Robustness' has 1 labels for", [](Scene3d& s) { s.bodies[4].maps[0].label_of.resize(1); }},
      {"the map 'Robustness' names label 7; it has 2",
       [](Scene3d& s) { s.bodies[4].maps[0].label_of[0] = 7; }},
      {"needs finite ends of its scale", [](Scene3d& s) { s.bodies[4].maps[0].lower = kNan; }},
      {"needs positive values",
       [](Scene3d& s) { s.bodies[4].maps[0].logarithmic = true, s.bodies[4].maps[0].values[0] = -1.0; }},
      {"points 'Contact points': a point is not finite",
       [](Scene3d& s) { s.points[0].points[1].y() = 1.0 / 0.0; }},
      {"has 3 hover texts for 4 points", [](Scene3d& s) { s.points[0].hover.resize(3); }},
      {"arrows 'Contact forces': an arrow is not finite",
       [](Scene3d& s) { s.arrows[0].arrows[0].vector.z() = kNan; }},
      {"arrows 'Contact forces': the scale", [](Scene3d& s) { s.arrows[0].scale = -1.0; }},
      {"line 'Support polygon': a point is not finite", [](Scene3d& s) { s.lines[0].points[0].z() = kNan; }},
      {"frame 'W': its position is not finite",
       [](Scene3d& s) { s.frames[0].X_PF = math::Pose::translation({0, kNan, 0}); }},
      {"frame 'W': body index 17 is out of range; the scene has 5 bodies",
       [](Scene3d& s) { s.frames[0].body = BodyIndex(17); }},
      {"motion 'Recording': time 3 is not finite", [](Scene3d& s) { s.motions[0].times[3] = kNan; }},
      {"motion 'Recording': times must rise; time 3", [](Scene3d& s) { s.motions[0].times[3] = -1.0; }},
      {"motion 'Recording': has no times", [](Scene3d& s) { s.motions[0].times.clear(); }},
      {"motion 'Recording', body 'ring': 4 poses for 5 times",
       [](Scene3d& s) { s.motions[0].tracks[3].X_WB.resize(4); }},
      {"motion 'Recording', body 'ring': the pose at time 0.02",
       [](Scene3d& s) { s.motions[0].tracks[3].X_WB[2] = math::Pose::translation({kNan, 0, 0}); }},
      {"motion 'Recording', arrows 'Contact forces': 2 lists of arrows for 5 times",
       [](Scene3d& s) { s.motions[0].arrow_tracks[0].arrows.resize(2); }},
      {"an arrow at time 0.01",
       [](Scene3d& s) { s.motions[0].arrow_tracks[0].arrows[1][0].point.x() = kNan; }},
      {"the view direction is zero", [](Scene3d& s) { s.view_direction.setZero(); }},
      {"the initial motion is out of range", [](Scene3d& s) { s.initial_motion = MotionIndex(4); }},
  };
  for (const Case& c : cases) {
    Scene3d scene = sample_scene();
    scene.add_motion(sample_recording(scene, 5));
    c.spoil(scene);
    Page page("x");
    page.add(std::move(scene));
    try {
      write_report(page, folder_ / "report.html");
      ADD_FAILURE() << "accepted: " << c.message;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(c.message), std::string::npos)
          << error.what() << "\nexpected: " << c.message;
    }
    EXPECT_THROW(write_report_folder(page, folder_ / "out"), std::invalid_argument);
    EXPECT_EQ(files(), 0u);
  }
}

TEST_F(WriteReport, RefusesPlotsAndTablesWithoutShape) {
  const auto message = [](auto block) {
    Page page("x");
    page.add(std::move(block));
    try {
      report_html(page);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  Plot plot;
  plot.title = "p";
  plot.x = {0, 1};
  plot.series.push_back({"s", {}, {1.0}, Series::Style::line, {}});
  EXPECT_EQ(message(plot), "report: plot 1 'p', series 's': 1 values for 2 x values");
  plot.series[0].y = {1.0, kNan};
  EXPECT_EQ(message(plot), "accepted");
  plot.x = {0, kNan};
  EXPECT_EQ(message(plot), "report: plot 1 'p': x value 1 is not finite");
  plot.x = {1, 0};
  EXPECT_NE(message(plot).find("x values must rise"), std::string::npos);
  plot.kind = Plot::Kind::xy;
  EXPECT_EQ(message(plot), "accepted");
  plot.scene = SceneIndex(0);
  EXPECT_NE(message(plot).find("scene index 0 is out of range; the page has 0 scenes"), std::string::npos);
  EXPECT_EQ(message(Table{"t", {{"a", "", 4, ""}}, {{1.0, 2.0}}, {}, {}}),
            "report: table 1 't': row 0 has 2 cells for 1 columns");
  EXPECT_EQ(message(Table{"t", {}, {}, {}, {}}), "report: table 1 't': has no columns");
  EXPECT_NE(message(Downloads{{{"x", "../x", "", "a"}}}).find("is no plain file name"), std::string::npos);
  EXPECT_NE(message(Downloads{{{"x", "javascript:x", "", ""}}}).find("is no plain file name"),
            std::string::npos);
  Timeline timeline;
  timeline.caption = "t";
  timeline.rows = {{"row", {{"bar", 0.0, 1.0, {}}, {"moment", 1.0, 1.0, {}, true}}}};
  timeline.marks = {{"mark", 0.5}};
  EXPECT_EQ(message(timeline), "accepted");
  timeline.scene = SceneIndex(0);
  EXPECT_NE(message(timeline).find("scene index 0 is out of range"), std::string::npos);
  timeline.scene.reset();
  timeline.marks[0].t_s = kNan;
  EXPECT_EQ(message(timeline), "report: timeline 't': mark 'mark' has no time");
  timeline.rows[0].bars[0].to_s = -1.0;
  EXPECT_EQ(message(timeline), "report: timeline 't': bar 'bar' has no times that rise");
  EXPECT_EQ(message(Pictures{{{"p", "<script>"}}}), "report: picture 'p': is not SVG text");
  EXPECT_EQ(message(Pictures{{{"p", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"}}}), "accepted");
}

TEST_F(WriteReport, IsCompleteOrAbsent) {
  EXPECT_THROW(write_report(sample_page(), folder_ / "absent" / "report.html"), std::runtime_error);
  write_report(sample_page(), folder_ / "report.html");
  const std::string before = model::read_file(folder_ / "report.html");
  // A page that is refused leaves the old one as it was.
  Page bad("x");
  Scene3d scene = sample_scene();
  scene.bodies[0].mesh_B.vertices[0].x() = kNan;
  bad.add(std::move(scene));
  EXPECT_THROW(write_report(bad, folder_ / "report.html"), std::invalid_argument);
  EXPECT_EQ(model::read_file(folder_ / "report.html"), before);
  EXPECT_EQ(files(), 1u);
}

TEST_F(WriteReport, FolderHoldsPageAndData) {
  write_report_folder(sample_page(), folder_ / "a" / "b");
  const std::string html = model::read_file(folder_ / "a" / "b" / "report.html");
  EXPECT_EQ(head(html)["dataUrl"], "data.bin");
  EXPECT_EQ(count(html, "id=\"prehend-data\""), 0u);
  const auto buffers = head(html)["buffers"];
  const std::size_t end = buffers.back()[0].get<std::size_t>() + buffers.back()[1].get<std::size_t>();
  EXPECT_GE(fs::file_size(folder_ / "a" / "b" / "data.bin"), end);
  EXPECT_LT(fs::file_size(folder_ / "a" / "b" / "data.bin"), end + 3);
  EXPECT_THROW(write_report_folder(sample_page(), folder_ / "a" / "b" / "report.html"), std::runtime_error);
}

// The figure: 100 000 triangles and 10 000 frames below 20 MB, also when the motion is noise to the last
// digit.
TEST_F(WriteReport, ALargeRunStaysBelowTwentyMegabytes) {
  EXPECT_LT(report_html(large_page(100000, 20, 10000)).size(), 20e6);
  Page noisy("noise");
  Scene3d scene;
  Motion motion;
  math::RandomStream random(5);
  for (int k = 0; k < 40; ++k) {
    scene.add_body(sample_body("b", sample_torus(0.06, 0.02, 50, 25), {0.1 * k, 0.0, 0.0}, 0));
    motion.tracks.push_back({BodyIndex(k), {}});
    for (int f = 0; f < 10000; ++f) {
      if (k == 0) motion.times.push_back(0.001 * f);
      // A millimetre and a milliradian of noise on every pose.
      const Eigen::Vector3d turn = 1e-3 * random.normal3();
      motion.tracks.back().X_WB.emplace_back(
          Eigen::Quaterniond(1.0, turn.x(), turn.y(), turn.z()).normalized(),
          Eigen::Vector3d(0.1 * k, 0.0, 0.0) + 1e-3 * random.normal3());
    }
  }
  scene.add_motion(std::move(motion));
  noisy.add(std::move(scene));
  EXPECT_LT(report_html(noisy).size(), 20e6);
}

// A scene a thousand kilometres away is drawn around its own centre.
TEST_F(WriteReport, FarScenesAreMovedToTheViewersOrigin) {
  Scene3d scene;
  scene.add_body(sample_body("far", sample_box({1, 1, 1}), {1e6, -2e6, 3e6}, 0));
  Page page("far");
  page.add(std::move(scene));
  const auto block = head(report_html(page))["sections"][0]["blocks"][0];
  EXPECT_EQ(block["origin"], (std::vector<double>{1e6, -2e6, 3e6}));
  EXPECT_NEAR(block["bodies"][0]["pose"][0].get<double>(), 0.0, 1e-9);
  EXPECT_NEAR(block["size"].get<double>(), std::sqrt(3.0), 1e-6);
}

TEST_F(WriteReport, EmptyPagesAndScenesAreFine) {
  EXPECT_NO_THROW(report_html(Page("")));
  Page page("x");
  page.add(Scene3d{});
  Scene3d hollow;
  hollow.add_body(SceneBody{});
  page.add(std::move(hollow));
  EXPECT_NO_THROW(report_html(page));
}

TEST(PageSource, TabAndSubtitleCarryTheFilesName) {
  Page page("Will it hold?");
  EXPECT_EQ(page.tab_title(), "Will it hold?");
  page.set_source("some/folder/stack.xml");
  EXPECT_EQ(page.tab_title(), "stack.xml: Will it hold?");
  EXPECT_EQ(page.subtitle(), "stack.xml");
  page.set_subtitle("stack");
  EXPECT_EQ(page.subtitle(), "stack.xml");
  page.set_subtitle("a stack of crates");
  EXPECT_EQ(page.subtitle(), "stack.xml · a stack of crates");
  EXPECT_NE(report_html(page).find("<title>stack.xml: Will it hold?</title>"), std::string::npos);
  page.set_source("folder/all.yaml#first/second");
  EXPECT_EQ(page.source(), "all.yaml#first/second");
}

TEST(ArrowTracks, ArrowsThatStayAreWrittenOnce) {
  Page page("arrows");
  Scene3d scene;
  scene.arrows.push_back({});
  Motion motion;
  for (int k = 0; k < 500; ++k) motion.times.push_back(0.1 * k);
  motion.arrow_tracks.push_back(
      {0, {std::vector<Arrow>(3, Arrow{Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX(), ""})}});
  scene.add_motion(motion);
  page.add(std::move(scene));
  EXPECT_NE(report_html(page).find("\"constant\":true"), std::string::npos);
}

}  // namespace
}  // namespace prehend::report
