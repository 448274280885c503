/**
 * What a run is: read from JSON without building trees, checked, completed, written in sets and read back. Intake and, later,
 * experiment upload come through here.
 */
@NullMarked
package dev.waybill.experiment.run;

import org.jspecify.annotations.NullMarked;
