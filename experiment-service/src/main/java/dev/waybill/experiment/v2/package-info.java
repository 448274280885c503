/**
 * Version 2 of the API for runs and threads, as the generated part of tracing clients calls it. It adapts the queries of
 * version 1:
 * other names, pages by {@code items} and {@code next_cursor}, and a day as the default range of time.
 */
@NullMarked
package dev.waybill.experiment.v2;

import org.jspecify.annotations.NullMarked;
