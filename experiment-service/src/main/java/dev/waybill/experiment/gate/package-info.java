/**
 * Gates: whether an experiment is good enough to go on with, asked by a pipeline. A gate is a comparison held against limits.
 */
@NullMarked
package dev.waybill.experiment.gate;

import org.jspecify.annotations.NullMarked;
