/** Tests of {@link dev.waybill.controlplane.source} against real git servers, well-behaved and hostile ones. */
package dev.waybill.controlplane.source.ssh;
