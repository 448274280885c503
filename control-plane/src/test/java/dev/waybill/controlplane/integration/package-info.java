/**
 * Tests of integrations over HTTP.
 */
@NullMarked
package dev.waybill.controlplane.integration;

import org.jspecify.annotations.NullMarked;
