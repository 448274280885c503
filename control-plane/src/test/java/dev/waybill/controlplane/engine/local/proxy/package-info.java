/** Tests of {@link dev.waybill.controlplane.engine.local.proxy} over real connections. */
package dev.waybill.controlplane.engine.local.proxy;
