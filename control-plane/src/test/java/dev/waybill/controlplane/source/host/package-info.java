/**
 * Tests of the repository listing with fake hosts.
 */
package dev.waybill.controlplane.source.host;
