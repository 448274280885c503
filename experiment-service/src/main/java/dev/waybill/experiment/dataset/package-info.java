/**
 * Datasets, the collections of examples that experiments run on (interface.md 2.9). Uploads create and extend their own
 * datasets; ordinary datasets are created here.
 */
@NullMarked
package dev.waybill.experiment.dataset;

import org.jspecify.annotations.NullMarked;
