/**
 * experiment-service: stores traces and experiments that ran outside of Waybill, and reads, compares and evaluates
 * them.
 */
@NullMarked
package dev.waybill.experiment;

import org.jspecify.annotations.NullMarked;
