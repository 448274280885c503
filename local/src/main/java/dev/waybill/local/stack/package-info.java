/**
 * Runs Waybill on one machine: PostgreSQL, an S3 server and the packaged services as child processes. {@code ./quickstart}, the
 * end-to-end tests and the benchmarks all use this package, so that they run the same system.
 */
@NullMarked
package dev.waybill.local.stack;

import org.jspecify.annotations.NullMarked;
