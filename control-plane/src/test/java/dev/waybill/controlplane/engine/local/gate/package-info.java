/** Tests of {@link dev.waybill.controlplane.engine.local} with real processes. */
package dev.waybill.controlplane.engine.local.gate;
