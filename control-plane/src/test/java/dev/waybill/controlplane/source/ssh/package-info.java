/**
 * Tests of repository access over ssh with a real ssh server.
 */
package dev.waybill.controlplane.source.ssh;
