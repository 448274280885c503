/** Generates traces that resemble the recorded samples and inserts them into PostgreSQL, for tests and benchmarks. */
@NullMarked
package dev.waybill.local.traces;

import org.jspecify.annotations.NullMarked;
