/**
 * Version 2 of the API for runs and threads, which the generated part of tracing clients calls. It adapts the queries
 * of version 1 with other member names, pages of {@code items} and {@code next_cursor}, and a default time range of one
 * day.
 */
@NullMarked
package dev.waybill.experiment.v2;

import org.jspecify.annotations.NullMarked;
