/**
 * Tests of repository access, and their fixtures.
 */
package dev.waybill.controlplane.source;
