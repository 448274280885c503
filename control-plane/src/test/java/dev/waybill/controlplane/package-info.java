/**
 * Tests of the whole service over HTTP.
 */
@NullMarked
package dev.waybill.controlplane;

import org.jspecify.annotations.NullMarked;
