/**
 * Tests of the logs of running applications.
 */
@NullMarked
package dev.waybill.controlplane.application;

import org.jspecify.annotations.NullMarked;
