/**
 * Quality gates for pipelines: evaluates whether experiments meet thresholds on their scores, either absolute or
 * relative to a baseline.
 */
@NullMarked
package dev.waybill.experiment.gate;

import org.jspecify.annotations.NullMarked;
