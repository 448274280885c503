/**
 * Feedback: what somebody or something thinks of a run or of a whole experiment (interface.md 2.7). It comes with uploads, with
 * traces, or alone.
 */
@NullMarked
package dev.waybill.experiment.feedback;

import org.jspecify.annotations.NullMarked;
