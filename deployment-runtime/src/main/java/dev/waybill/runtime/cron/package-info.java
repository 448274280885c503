/** Crons: requests that start runs on a schedule, over HTTP and as a timer (docs/decisions/0176). */
@NullMarked
package dev.waybill.runtime.cron;

import org.jspecify.annotations.NullMarked;
