/**
 * Runs over HTTP: responses that last as long as their run, with backpressure from the client (interface.md 4.4 and 6).
 */
@NullMarked
package dev.waybill.runtime.stream;

import org.jspecify.annotations.NullMarked;
