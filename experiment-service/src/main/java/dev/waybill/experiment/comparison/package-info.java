/**
 * Comparison of experiments on one dataset: aligns their runs by example, compares every feedback key with a baseline
 * and tests whether the differences are statistically significant.
 */
@NullMarked
package dev.waybill.experiment.comparison;

import org.jspecify.annotations.NullMarked;
