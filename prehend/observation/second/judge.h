// The verdict on one screw.
#pragma once

#include <prehend/observation/second/contact_pieces.h>
#include <prehend/observation/second_order.h>

namespace prehend::observation {

JudgedScrew judge_screw(const PreparedContacts& contacts, const math::Vector6d& screw_W,
                        const SecondOrderOptions& options);

}  // namespace prehend::observation
