/**
 * Datasets (interface.md 2.9): what experiments are run on. Uploads make datasets of their own and add to them; others are made
 * here.
 */
@NullMarked
package dev.waybill.experiment.dataset;

import org.jspecify.annotations.NullMarked;
