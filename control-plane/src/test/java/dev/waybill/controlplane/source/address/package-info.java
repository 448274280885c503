/**
 * Tests of URLs of repositories.
 */
package dev.waybill.controlplane.source.address;
