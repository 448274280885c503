/** Schedules: their arithmetic by itself, and the whole of them on a real database. */
@NullMarked
package dev.waybill.export.schedule;

import org.jspecify.annotations.NullMarked;
