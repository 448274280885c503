/**
 * Tests of the whole service: what it answers over HTTP, whatever the feature.
 */
@NullMarked
package dev.waybill.controlplane;

import org.jspecify.annotations.NullMarked;
