/**
 * Engines for tests.
 */
@NullMarked
package dev.waybill.controlplane.engine;

import org.jspecify.annotations.NullMarked;
