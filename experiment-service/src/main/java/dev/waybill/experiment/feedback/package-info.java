/**
 * Feedback: scores, labels and comments on a run or on a whole experiment (interface.md 2.7). It is part of uploads and
 * traces, or sent by requests of its own.
 */
@NullMarked
package dev.waybill.experiment.feedback;

import org.jspecify.annotations.NullMarked;
