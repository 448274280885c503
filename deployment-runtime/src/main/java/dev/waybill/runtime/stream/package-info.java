/**
 * Runs over HTTP: answers that last as long as their run and go at their client's pace (interface.md 4.4 and 6).
 */
@NullMarked
package dev.waybill.runtime.stream;

import org.jspecify.annotations.NullMarked;
