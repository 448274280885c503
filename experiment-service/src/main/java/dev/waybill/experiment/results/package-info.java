/**
 * Results of experiments: the examples of a dataset, each with the runs of some experiments on it, as clients read them to
 * compare
 * by themselves.
 */
@NullMarked
package dev.waybill.experiment.results;

import org.jspecify.annotations.NullMarked;
