/** Tests of schedules: their arithmetic in isolation, and the feature on a real database. */
@NullMarked
package dev.waybill.export.schedule;

import org.jspecify.annotations.NullMarked;
