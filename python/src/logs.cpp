// prehend.model: recordings as NumPy arrays.
#include <cmath>
#include <limits>
#include <memory>

#include "bindings.h"
#include "length_unit.h"
#include <prehend/model/point_cloud.h>
#include <prehend/model/pose_log.h>
#include <prehend/model/rope_log.h>
#include <prehend/model/topology_log.h>
#include <prehend/model/wrench_log.h>

namespace prehend::python {
namespace {

using Eigen::Vector3d;
using PoseRows = nb::ndarray<double, nb::numpy, nb::shape<-1, 7>, nb::c_contig>;

// Rows of seven numbers, x y z qw qx qy qz, in one array that owns its memory.
class PoseTable {
 public:
  explicit PoseTable(std::size_t rows) : rows_(rows), numbers_(new double[rows * 7]) {}
  void set(std::size_t row, const Vector3d& p, const std::optional<Eigen::Quaterniond>& q) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    double* out = numbers_.get() + 7 * row;
    const double values[7] = {
        p.x(), p.y(), p.z(), q ? q->w() : kNone, q ? q->x() : kNone, q ? q->y() : kNone, q ? q->z() : kNone};
    std::copy(values, values + 7, out);
  }
  PoseRows release() {
    double* data = numbers_.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return PoseRows(data, {rows_, 7}, owner);
  }

 private:
  std::size_t rows_;
  std::unique_ptr<double[]> numbers_;
};

PoseRows pose_rows(const std::vector<math::Pose>& poses) {
  PoseTable table(poses.size());
  for (std::size_t i = 0; i < poses.size(); ++i) table.set(i, poses[i].p(), poses[i].q());
  return table.release();
}

void init_pose_log(model::PoseLog* self, const std::vector<double>& t, const Eigen::MatrixXd& poses,
                   const std::vector<int>& part, const std::vector<std::string>& parts) {
  const auto refuse = [](const std::string& what) { throw std::invalid_argument(what); };
  const bool has_turns = poses.cols() == 7;
  if (!has_turns && poses.cols() != 3)
    refuse("poses must have three columns, x, y, z, or seven, with qw, qx, qy, qz");
  if (static_cast<std::size_t>(poses.rows()) != t.size())
    refuse("poses has " + std::to_string(poses.rows()) + " rows, t has " + std::to_string(t.size()));
  if (!part.empty() && part.size() != t.size())
    refuse("part has " + std::to_string(part.size()) + " rows, t has " + std::to_string(t.size()));
  model::PoseLog log;
  log.parts = parts.empty() ? std::vector<std::string>{"part"} : parts;
  log.has_part_column = !parts.empty();
  for (std::size_t k = 0; k < t.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    model::PoseRow row;
    row.t = t[k];
    row.part = part.empty() ? 0 : part[k];
    const std::string where = "row " + std::to_string(k) + ": ";
    if (row.part < 0 || static_cast<std::size_t>(row.part) >= log.parts.size())
      refuse(where + "part " + std::to_string(row.part) + " is none of " + std::to_string(log.parts.size()));
    row.p_WP = poses.row(i).head<3>();
    if (!std::isfinite(row.t) || !row.p_WP.allFinite()) refuse(where + "a number is not finite");
    if (has_turns && poses.row(i).tail<4>().allFinite()) {
      const Eigen::Quaterniond q(poses(i, 3), poses(i, 4), poses(i, 5), poses(i, 6));
      if (!(std::abs(q.norm() - 1.0) <= 0.01))
        refuse(where + "the quaternion's norm must be 1");  // as in files
      row.q_WP = q.normalized();
    }
    log.rows.push_back(row);
  }
  new (self) model::PoseLog(std::move(log));
}

void init_rope_log(model::RopeLog* self, const std::vector<Eigen::MatrixXd>& points,
                   const std::vector<double>& times) {
  if (!times.empty() && times.size() != points.size())
    throw std::invalid_argument("times has " + std::to_string(times.size()) + " entries, points has " +
                                std::to_string(points.size()) + " frames");
  model::RopeLog log;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (points[k].cols() != 3 || points[k].rows() < 2 || !points[k].allFinite())
      throw std::invalid_argument("points, frame " + std::to_string(k) +
                                  ": at least two finite points with three columns, x, y, z");
    if (!times.empty() && (!std::isfinite(times[k]) || (k > 0 && times[k] <= times[k - 1])))
      throw std::invalid_argument("times must increase: entry " + std::to_string(k));
    model::RopeFrame frame;
    frame.frame = static_cast<int>(k);
    for (Eigen::Index i = 0; i < points[k].rows(); ++i) frame.points_W.emplace_back(points[k].row(i));
    if (!times.empty()) frame.t = times[k];
    log.rows += frame.points_W.size();
    log.frames.push_back(std::move(frame));
  }
  new (self) model::RopeLog(std::move(log));
}

void bind_pose_log(nb::module_& m) {
  using model::PoseLog;
  auto log = nb::class_<PoseLog>(m, "PoseLog", R"(Tracked poses of parts over time.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "poses.csv")
...     _ = open(path, "w").write("t,part,x,y,z\n0,lid,0,0,1\n0.5,lid,0,0,2\n")
...     log = prehend.model.read_pose_log(path)
>>> log.parts, log.t.tolist(), log.poses[:, :3].tolist()
(['lid'], [0.0, 0.5], [[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]])
)");
  log.def(
      "__init__", &init_pose_log, nb::kw_only(), "t"_a, "poses"_a, "part"_a = std::vector<int>{},
      "parts"_a = std::vector<std::string>{},
      R"(From arrays: times [s], rows x y z [m] or x y z qw qx qy qz, for several parts each row's index into `parts`.

>>> import prehend
>>> log = prehend.model.PoseLog(t=[0, 0.5], poses=[[0, 0, 1], [0, 0, 2]], parts=["lid"])
>>> len(log), log.parts
(2, ['lid'])
)");
  def_texts(log, "parts", &PoseLog::parts, "In the order of their first rows.");
  def_texts(log, "columns", &PoseLog::columns, "As in the file.");
  def_texts(log, "notes", &PoseLog::notes, "What was ignored or converted.");
  log.def_prop_ro(
         "t",
         [](const PoseLog& l) {
           std::vector<double> t;
           for (const model::PoseRow& row : l.rows) t.push_back(row.t);
           return t;
         },
         "(rows,) [s]")
      .def_prop_ro(
          "part",
          [](const PoseLog& l) {
            std::vector<int> part;
            for (const model::PoseRow& row : l.rows) part.push_back(row.part);
            return part;
          },
          "(rows,) index into parts")
      .def_prop_ro(
          "poses",
          [](const PoseLog& l) {
            PoseTable table(l.rows.size());
            for (std::size_t i = 0; i < l.rows.size(); ++i) table.set(i, l.rows[i].p_WP, l.rows[i].q_WP);
            return table.release();
          },
          nb::rv_policy::reference,
          "(rows, 7): x y z [m], qw qx qy qz; not-a-number where a row has no orientation")
      .def_prop_ro("duration", &PoseLog::duration, "[s]")
      .def("__len__", [](const PoseLog& l) { return l.rows.size(); });
  m.def(
      "read_pose_log", [](const Path& path) { return model::read_pose_log(path.text); }, "path"_a, Released(),
      R"(CSV t,part,x,y,z[,qw,qx,qy,qz], plain or gzip.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "poses.csv")
...     _ = open(path, "w").write("t,x,y,z\n0,0,0,1\n0.5,0,0,2\n")
...     print(prehend.model.read_pose_log(path).duration)
0.5
)");
}

std::vector<math::Pose> poses_of(const char* name, const Eigen::MatrixXd& rows) {
  if (rows.size() > 0 && rows.cols() != 7)
    throw std::invalid_argument(std::string(name) + " must have seven columns: x, y, z, qw, qx, qy, qz");
  std::vector<math::Pose> poses;
  for (Eigen::Index k = 0; k < rows.rows() && rows.size() > 0; ++k) {
    const Eigen::Quaterniond q(rows(k, 3), rows(k, 4), rows(k, 5), rows(k, 6));
    if (!(std::abs(q.norm() - 1.0) <= 0.01))  // as in files
      throw std::invalid_argument(std::string(name) + ", row " + std::to_string(k) +
                                  ": the quaternion's norm must be 1");
    poses.emplace_back(q.normalized(), Vector3d(rows.row(k).head<3>()));
  }
  return poses;
}

void init_wrench_log(model::WrenchLog* self, const std::vector<double>& t, const Eigen::MatrixXd& X_WS,
                     const PointRows& f_S, const PointRows& tau_S, const PointRows& v_WS_W,
                     const PointRows& w_WS_W, const PointRows& a_WS_W, const PointRows& al_WS_W,
                     const Eigen::MatrixXd& X_WO) {
  model::WrenchLog log;
  log.t = t;
  log.X_WS = poses_of("X_WS", X_WS);
  log.X_WO = poses_of("X_WO", X_WO);
  log.f_S = f_S.of("f_S");
  log.tau_S = tau_S.of("tau_S");
  log.v_WS_W = v_WS_W.of("v_WS_W");
  log.w_WS_W = w_WS_W.of("w_WS_W");
  log.a_WS_W = a_WS_W.of("a_WS_W");
  log.al_WS_W = al_WS_W.of("al_WS_W");
  const auto check = [&](const char* name, std::size_t rows, bool needed) {
    if (rows != t.size() && (needed || rows > 0))
      throw std::invalid_argument(std::string(name) + " has " + std::to_string(rows) + " rows, t has " +
                                  std::to_string(t.size()));
  };
  check("X_WS", log.X_WS.size(), true);
  check("f_S", log.f_S.size(), true);
  check("tau_S", log.tau_S.size(), true);
  check("v_WS_W", log.v_WS_W.size(), !log.w_WS_W.empty());
  check("w_WS_W", log.w_WS_W.size(), !log.v_WS_W.empty());
  check("a_WS_W", log.a_WS_W.size(), !log.al_WS_W.empty());
  check("al_WS_W", log.al_WS_W.size(), !log.a_WS_W.empty());
  check("X_WO", log.X_WO.size(), false);
  new (self) model::WrenchLog(std::move(log));
}

// The same in words: positions [m], orientations (w, x, y, z), forces and torques on the object in the sensor's axes.
void init_in_words(model::WrenchLog* self, const std::vector<double>& t, const PointRows& position,
                   const Eigen::MatrixXd& orientation, const PointRows& force, const PointRows& torque) {
  const std::vector<Vector3d>& p = position.of("position");
  const auto rows = static_cast<Eigen::Index>(p.size());
  if (orientation.size() > 0 && (orientation.cols() != 4 || orientation.rows() != rows))
    throw std::invalid_argument("orientation must have a row qw, qx, qy, qz for every position");
  Eigen::MatrixXd X_WS(rows, 7);
  for (Eigen::Index k = 0; k < rows; ++k) {
    X_WS.row(k).head<3>() = p[static_cast<std::size_t>(k)];
    X_WS.row(k).tail<4>() =
        orientation.size() > 0 ? Eigen::RowVector4d(orientation.row(k)) : Eigen::RowVector4d(1, 0, 0, 0);
  }
  init_wrench_log(self, t, X_WS, {force.of("force"), ""}, {torque.of("torque"), ""}, {}, {}, {}, {},
                  Eigen::MatrixXd(0, 7));
}

void bind_wrench_log(nb::module_& m) {
  using model::WrenchLog;
  auto log = nb::class_<WrenchLog>(m, "WrenchLog",
                                   R"(Force-torque recordings; arrays are views, empty where there are none.

>>> import prehend
>>> log = prehend.model.WrenchLog(t=[0.0, 0.1], X_WS=[[0, 0, 0, 1, 0, 0, 0]] * 2, f_S=[[0, 0, 9.81]] * 2, tau_S=[[0, 0, 0]] * 2)
>>> len(log), log.f_S[0].tolist()
(2, [0.0, 0.0, 9.81])
)");
  const PointRows none;
  log.def(
      "__init__", &init_wrench_log, nb::kw_only(), "t"_a, "X_WS"_a, "f_S"_a, "tau_S"_a, "v_WS_W"_a = none,
      "w_WS_W"_a = none, "a_WS_W"_a = none, "al_WS_W"_a = none, "X_WO"_a = Eigen::MatrixXd(0, 7),
      "From arrays of the attributes' shapes and units; velocities, accelerations and object may be absent.");
  log.def(
      "__init__", &init_in_words, nb::kw_only(), "t"_a, "position"_a, "orientation"_a = Eigen::MatrixXd(0, 4),
      "force"_a, "torque"_a,
      R"(The same in words: position (rows, 3) and orientation (rows, 4), (w, x, y, z), of the sensor in the world, or one that never
turns; what it exerts on the object, in its own axes.

>>> import prehend
>>> log = prehend.model.WrenchLog(t=[0.0, 0.1], position=[[0, 0, 0]] * 2, force=[[0, 0, 9.81]] * 2, torque=[[0, 0, 0]] * 2)
>>> log.X_WS[0].tolist()
[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
)");
  log.def_ro("t", &WrenchLog::t, "(rows,) [s]")
      .def_prop_ro(
          "X_WS", [](const WrenchLog& l) { return pose_rows(l.X_WS); }, nb::rv_policy::reference,
          "(rows, 7) sensor in the world")
      .def_ro("v_WS_W", &WrenchLog::v_WS_W, "[m/s]")
      .def_ro("w_WS_W", &WrenchLog::w_WS_W, "[rad/s]")
      .def_ro("a_WS_W", &WrenchLog::a_WS_W, "[m/s^2]")
      .def_ro("al_WS_W", &WrenchLog::al_WS_W, "[rad/s^2]")
      .def_ro("f_S", &WrenchLog::f_S, "(rows, 3) [N], axes as written")
      .def_ro("tau_S", &WrenchLog::tau_S, "(rows, 3) [N m]")
      .def_prop_ro(
          "X_WO", [](const WrenchLog& l) { return pose_rows(l.X_WO); }, nb::rv_policy::reference,
          "(rows, 7) object in the world")
      .def_prop_ro("duration", &WrenchLog::duration, "[s]");
  def_texts(log, "columns", &WrenchLog::columns, "As in the file.");
  def_texts(log, "notes", &WrenchLog::notes, "Ignored columns.");
  log.def("__len__", &WrenchLog::rows);
  m.def(
      "read_wrench_log", [](const Path& path) { return model::read_wrench_log(path.text); }, "path"_a,
      Released(),
      R"(CSV of sensor poses and wrenches, see WrenchLog; plain or gzip.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "log.csv")
...     _ = open(path, "w").write("t,sx,sy,sz,sqw,sqx,sqy,sqz,fx,fy,fz,tx,ty,tz\n0,0,0,0,1,0,0,0,0,0,9.81,0,0,0\n")
...     print(prehend.model.read_wrench_log(path).f_S.tolist())
[[0.0, 0.0, 9.81]]
)");
}

void bind_rope_log(nb::module_& m) {
  using model::RopeLog;
  auto rope = nb::class_<RopeLog>(m, "RopeLog", "A rope over time.");
  rope.def(
      "__init__", &init_rope_log, nb::kw_only(), "points"_a, "times"_a = std::vector<double>{},
      R"(From arrays: per frame (n, 3) points [m] from the selected end, and times [s] where there are some.

>>> import prehend
>>> rope = prehend.model.RopeLog(points=[[[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [1, 0, 0.1]]], times=[0.0, 0.1])
>>> len(rope), rope.frames
(2, [0, 1])
)");
  rope.def_prop_ro(
          "frames",
          [](const RopeLog& l) {
            std::vector<int> numbers;
            for (const model::RopeFrame& frame : l.frames) numbers.push_back(frame.frame);
            return numbers;
          },
          "numbers in the file")
      .def_prop_ro(
          "times",
          [](const RopeLog& l) {
            std::vector<double> times;
            for (const model::RopeFrame& frame : l.frames) {
              if (frame.t) times.push_back(*frame.t);
            }
            return times;
          },
          "[s] of the frames; empty when the file has none")
      .def("set_rate", &model::set_frame_rate, "rate"_a, "Gives every frame the time number / rate [Hz].")
      .def(
          "points",
          [](const RopeLog& l, std::size_t i) { return std::vector<Vector3d>(l.frames.at(i).points_W); },
          "index"_a, "(n, 3) [m] of the frame at this place of the list, from the selected end")
      .def("__len__", [](const RopeLog& l) { return l.frames.size(); });
  def_texts(rope, "notes", &RopeLog::notes, "Ignored columns.");
  m.def(
      "read_rope_log", [](const Path& path) { return model::read_rope_log(path.text); }, "path"_a, Released(),
      R"(CSV frame,x,y,z and, for times, t; points in order from the selected end.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "rope.csv")
...     _ = open(path, "w").write("frame,x,y,z\n0,0,0,0\n0,1,0,0\n")
...     print(prehend.model.read_rope_log(path).points(0).tolist())
[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
)");
}

void bind_topology_log(nb::module_& m) {
  using model::TopologyLog;
  auto topology = nb::class_<TopologyLog>(m, "TopologyLog", "A chain held at its ends.");
  topology.def_ro("t", &TopologyLog::t, "[s]")
      .def(
          "X_WL", [](const TopologyLog& l, std::size_t link) { return pose_rows(l.X_WL.at(link)); }, "link"_a,
          "(rows, 7)")
      .def_prop_ro("links", &TopologyLog::links)
      .def_ro("f_left_L", &TopologyLog::f_left_L, "[N]")
      .def_ro("tau_left_L", &TopologyLog::tau_left_L, "[N m]")
      .def_ro("f_right_R", &TopologyLog::f_right_R, "[N]")
      .def_ro("tau_right_R", &TopologyLog::tau_right_R, "[N m]")
      .def("__len__", &TopologyLog::rows);
  m.def(
      "read_topology_log", [](const Path& path) { return model::read_topology_log(path.text); }, "path"_a,
      Released(),
      R"(CSV of link poses and the wrenches on the end links, see TopologyLog.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "chain.csv")
...     pose = "l{0}_x,l{0}_y,l{0}_z,l{0}_qw,l{0}_qx,l{0}_qy,l{0}_qz,"
...     header = "t," + pose.format(0) + pose.format(1) + "fl_x,fl_y,fl_z,tl_x,tl_y,tl_z\n"
...     _ = open(path, "w").write(header + "0," + "0,0,0,1,0,0,0," * 2 + "0,0,5,0,0,0\n")
...     print(prehend.model.read_topology_log(path).f_left_L.tolist())
[[0.0, 0.0, 5.0]]
)");
}

void bind_cloud(nb::module_& m) {
  using model::PointCloud;
  auto cloud = nb::class_<PointCloud>(m, "PointCloud",
                                      "Points with what they carry; arrays are views, empty where absent.");
  cloud.def_ro("points", &PointCloud::points, "(n, 3) [m]")
      .def_ro("normals", &PointCloud::normals)
      .def_ro("colors", &PointCloud::colors)
      .def_ro("labels", &PointCloud::labels)
      .def_ro("volumes", &PointCloud::volumes, "[m^3]")
      .def("__len__", [](const PointCloud& c) { return c.points.size(); });
  def_texts(cloud, "notes", &PointCloud::notes, "What was ignored or converted.");
  m.def(
      "read_cloud",
      [](const Path& path, const LengthUnit& unit) {
        return model::read_cloud(path.text, {.unit = metres(unit)});
      },
      "path"_a, nb::kw_only(), "unit"_a = "m", Released(),
      R"(The points of a PLY, PCD or XYZ file with what they carry; `unit` is "m", "cm", "mm", "in", or a number of metres.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "cloud.ply")
...     _ = open(path, "w").write("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 2 3\n")
...     print(prehend.model.read_cloud(path).points.tolist())
[[1.0, 2.0, 3.0]]
)");
}

}  // namespace

void bind_logs(nb::module_& m) {
  bind_pose_log(m);
  bind_wrench_log(m);
  bind_rope_log(m);
  bind_topology_log(m);
  bind_cloud(m);
}

}  // namespace prehend::python
