// What is it made of? Parts of a mesh with their volumes, and the same object at another number of parts.
#include <cstdio>

#include <prehend/model/mesh_file.h>
#include <prehend/parts/segmentation.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s MESH\n", argv[0]);
    return 2;
  }
  // One part per closed shell; a cloud goes to segment_cloud(points, colours).
  prehend::parts::Segmentation found = prehend::parts::segment_mesh(prehend::model::read_mesh(argv[1]));
  std::printf("%s, shells %d, leaves %d\n", to_string(found.status), found.shells, found.tree.leaves);

  // The whole tree is there: other numbers of parts cost nothing, and finer parts lie inside coarser ones.
  for (const int count : {1, 2, 3}) {
    found.cut(count);
    for (const prehend::parts::SegmentedPart& part : found.parts)
      std::printf("of %d: part %d volume_m3 %.17g centroid_m %.17g %.17g %.17g\n", count, part.label,
                  part.volume, part.centroid.x(), part.centroid.y(), part.centroid.z());
  }
}
