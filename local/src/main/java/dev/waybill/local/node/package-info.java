/** Clients and readers of the npm world, which are not ours, for the end-to-end tests and the benchmark. */
@NullMarked
package dev.waybill.local.node;

import org.jspecify.annotations.NullMarked;
