"""What do curved contacts really allow? An egg between two round fingers: rolling it, sliding it, spinning it."""

import sys

from prehend.observation import read_contacts, second_order_freedom

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} CONTACTS")
# Angular velocity, and velocity of the body point at the world's origin.
screws = [[1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0]]
freedom = second_order_freedom(read_contacts(sys.argv[1]), screws=screws)
for form in freedom.forms:
    print(f"form: {form.positive} positive, {form.negative} negative, {form.zero} zero")
for screw in freedom.screws:
    print(screw.verdict)
    # What forbids a screw: contacts whose rows add up to nothing, with these weights, while the weighted distances fall.
    for term in screw.dependency:
        print(f"  contact {term.contact} times {term.weight:.17g}")
