/**
 * Deployments: what a workspace wants to run, and the calls with which it says so. A change becomes a revision.
 */
@NullMarked
package dev.waybill.controlplane.deployment;

import org.jspecify.annotations.NullMarked;
