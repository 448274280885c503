/**
 * Engines that tests direct.
 */
@NullMarked
package dev.waybill.controlplane.engine;

import org.jspecify.annotations.NullMarked;
