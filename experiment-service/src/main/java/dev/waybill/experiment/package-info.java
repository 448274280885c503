/**
 * experiment-service: takes in traces and experiments that were run elsewhere.
 */
@NullMarked
package dev.waybill.experiment;

import org.jspecify.annotations.NullMarked;
