/**
 * Results of experiments: lists the examples of a dataset, each with the runs of selected experiments, for clients that
 * compare experiments themselves.
 */
@NullMarked
package dev.waybill.experiment.results;

import org.jspecify.annotations.NullMarked;
