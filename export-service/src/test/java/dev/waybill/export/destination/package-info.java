/** Destinations over HTTP, against a real bucket that can be made to misbehave. */
@NullMarked
package dev.waybill.export.destination;

import org.jspecify.annotations.NullMarked;
