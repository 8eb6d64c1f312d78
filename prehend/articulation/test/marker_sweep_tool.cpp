// Recordings of markers (marker_recording.h), each whole, with its ends cut, with every second frame and with 5 % dropped.
// `marker_sweep_tool [objects] [seed] [folder]` prints how many are right, undetermined, and wrong with status ok; with a folder, logs are written
// there and nothing is discovered.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <prehend/articulation/discovery.h>
#include <prehend/articulation/test/marker_recording.h>

namespace prehend::articulation {
namespace {

using namespace testing;

void write(const model::PoseLog& log, const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (!file) return;
  std::fprintf(file, "t,part,x,y,z,qw,qx,qy,qz\n");
  for (const model::PoseRow& row : log.rows)
    std::fprintf(file, "%.6f,%s,%.6f,%.6f,%.6f,%.7f,%.7f,%.7f,%.7f\n", row.t, log.parts[row.part].c_str(),
                 row.p_WP[0], row.p_WP[1], row.p_WP[2], row.q_WP->w(), row.q_WP->x(), row.q_WP->y(),
                 row.q_WP->z());
  std::fclose(file);
}

struct Counts {
  int right{0}, undetermined{0}, right_undetermined{0}, wrong{0};
};

void sweep(ObjectKind kind, ErrorKind errors, int objects, int seed, const char* folder) {
  std::array<Counts, kVariants.size()> counts;
  for (int number = 0; number < objects; ++number) {
    math::RandomStream random(seed + 1000 * static_cast<int>(kind), number);
    const Recording made = recording(kind, errors, random);
    if (folder)
      write(made.log, std::string(folder) + "/" + std::to_string(static_cast<int>(kind)) + "_" +
                          std::to_string(number) + ".csv");
    for (std::size_t which = 0; which < kVariants.size() && !folder; ++which) {
      const Discovery found = discover(variant(made.log, which, random.split(which)), "recording");
      const bool ok = found.status == DiscoveryStatus::ok, is = is_right(found, made.truth);
      Counts& count = counts[which];
      count.right += ok && is;
      count.wrong += ok && !is;
      count.undetermined += !ok;
      count.right_undetermined += !ok && is;
      if (std::getenv("SHOW_WRONG") && !(ok && is)) {
        std::printf("%s %d, %s, truth", kKindNames[static_cast<std::size_t>(kind)], number, kVariants[which]);
        for (std::size_t k = 0; k < made.truth.joints.size(); ++k)
          std::printf(" %d:%s", made.truth.parents[k], to_string(made.truth.joints[k].type));
        std::printf("\n%s\n", found.brief_report().c_str());
      }
    }
  }
  if (folder) return;
  Counts all;
  for (std::size_t which = 0; which < kVariants.size(); ++which) {
    const Counts& c = counts[which];
    std::printf("%-13s %-28s %-20s right %3d  undetermined %3d (%d of them right)  wrong %3d\n",
                kErrorNames[static_cast<std::size_t>(errors)], kKindNames[static_cast<std::size_t>(kind)],
                kVariants[which], c.right, c.undetermined, c.right_undetermined, c.wrong);
    all.right += c.right, all.undetermined += c.undetermined, all.wrong += c.wrong;
    all.right_undetermined += c.right_undetermined;
  }
  std::printf("%-13s %-28s %-20s right %3d  undetermined %3d (%d of them right)  wrong %3d\n",
              kErrorNames[static_cast<std::size_t>(errors)], kKindNames[static_cast<std::size_t>(kind)],
              "all", all.right, all.undetermined, all.right_undetermined, all.wrong);
  std::fflush(stdout);
}

}  // namespace
}  // namespace prehend::articulation

int main(int argc, char** argv) {
  using namespace prehend::articulation;
  for (const ErrorKind errors : {ErrorKind::slow, ErrorKind::fresh})
    for (const ObjectKind kind : kKinds)
      sweep(kind, errors, argc > 1 ? std::atoi(argv[1]) : 20, argc > 2 ? std::atoi(argv[2]) : 1,
            argc > 3 ? argv[3] : nullptr);
  return 0;
}
