/**
 * Examples, the inputs and expected outputs that experiments run on. Uploads contain their examples (interface.md 2.8);
 * examples of ordinary datasets are managed by requests as clients of this kind of system send them (docs/decisions/0027).
 */
@NullMarked
package dev.waybill.experiment.example;

import org.jspecify.annotations.NullMarked;
