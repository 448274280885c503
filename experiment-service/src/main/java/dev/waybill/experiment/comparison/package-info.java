/**
 * Experiments of one dataset side by side (contract.md "Experiment upload", comparison): aligned by example, each feedback key
 * held
 * against a baseline, with what can and what cannot be told from so many examples.
 */
@NullMarked
package dev.waybill.experiment.comparison;

import org.jspecify.annotations.NullMarked;
