/**
 * Revisions: what a deployment was or is to become, each with a state that only moves forward, and a log. Creating one
 * overtakes what was under way.
 */
@NullMarked
package dev.waybill.controlplane.revision;

import org.jspecify.annotations.NullMarked;
