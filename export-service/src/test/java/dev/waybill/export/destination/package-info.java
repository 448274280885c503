/** Tests of destinations over HTTP, against a real bucket whose responses can be altered. */
@NullMarked
package dev.waybill.export.destination;

import org.jspecify.annotations.NullMarked;
