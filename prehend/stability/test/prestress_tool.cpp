#include <cstdio>
#include <cstdlib>
#include <chrono>
#include <string>
#include <prehend/model/scene_reader.h>
#include <prehend/stability/prestress.h>
using namespace prehend;
int main(int argc, char** argv) {
  model::SceneOptions o; if (argc>2) o.friction=atof(argv[2]);
  stability::ContactSystemOptions so; if (argc>3) so.contact.gap_tolerance=atof(argv[3]);
  auto s = stability::build_contact_system(model::read_scene(argv[1],o),so);
  auto t0=std::chrono::steady_clock::now();
  auto r = stability::elastic_response(s,{},0);
  double ms=std::chrono::duration<double,std::milli>(std::chrono::steady_clock::now()-t0).count();
  printf("%s bodies %zu contacts %zu: %s  %.2f ms\n", argv[1], s.bodies.size(), s.contacts.size(), r.brief_report().c_str(),ms);
}
