/** {@code ./quickstart}: starts a stack, runs a tour of the main features, and writes addresses and keys for clients. */
@NullMarked
package dev.waybill.local.quickstart;

import org.jspecify.annotations.NullMarked;
