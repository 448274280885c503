/**
 * Examples: what runs of an experiment are run on. Uploads bring theirs (interface.md 2.8); those of ordinary datasets are made
 * and changed by hand, as clients of this kind of system do it (docs/decisions/0027).
 */
@NullMarked
package dev.waybill.experiment.example;

import org.jspecify.annotations.NullMarked;
