/**
 * Scheduled exports (interface.md 4.2 rule 6): which window is exported when is arithmetic on stored timestamps, and each
 * window
 * becomes one export, made through the same door as an order of a user. What came too late for a window is counted.
 */
@NullMarked
package dev.waybill.export.schedule;

import org.jspecify.annotations.NullMarked;
