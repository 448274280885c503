/**
 * The whole of Waybill on one machine: PostgreSQL, S3 and the packaged services as child processes. The one command, the
 * end-to-end
 * tests and the benchmarks all start it from here, so that none of them sees another system than a newcomer does.
 */
@NullMarked
package dev.waybill.local.stack;

import org.jspecify.annotations.NullMarked;
