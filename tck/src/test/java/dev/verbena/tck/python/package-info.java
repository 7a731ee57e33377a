/** What python-rdma's classes of verbs objects have, member by member. */
@NullMarked
package dev.verbena.tck.python;

import org.jspecify.annotations.NullMarked;
