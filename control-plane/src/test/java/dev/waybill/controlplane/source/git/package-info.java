/**
 * Tests of the git client with real, also hostile, git servers.
 */
package dev.waybill.controlplane.source.git;
