// What do curved contacts really allow? An egg between two round fingers: rolling it, sliding it, spinning it.
#include <cstdio>

#include <prehend/observation/second_order.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s CONTACTS\n", argv[0]);
    return 2;
  }
  namespace observation = prehend::observation;
  const observation::ContactRelation relation = observation::read_contact_relation(argv[1]);
  // Angular velocity, and velocity of the body point at the world's origin.
  std::vector<prehend::math::Vector6d> screws(3);
  screws[0] << 1, 0, 0, 0, 0, 0;
  screws[1] << 0, 0, 0, 1, 0, 0;
  screws[2] << 0, 0, 1, 0, 0, 0;
  const observation::SecondOrderFreedom freedom = observation::second_order_freedom(relation, screws);
  for (const observation::DependentForm& form : freedom.forms)
    std::printf("form: %d positive, %d negative, %d zero\n", form.positive, form.negative, form.zero);
  for (const observation::JudgedScrew& screw : freedom.screws) {
    std::printf("%s\n", to_string(screw.verdict));
    // What forbids a screw: contacts whose rows add up to nothing, with these weights, while the weighted distances fall.
    for (const observation::DependencyTerm& term : screw.dependency)
      std::printf("  contact %d times %.17g\n", term.contact, term.weight);
  }
}
