/**
 * Tests of push webhooks.
 */
@NullMarked
package dev.waybill.controlplane.push;

import org.jspecify.annotations.NullMarked;
