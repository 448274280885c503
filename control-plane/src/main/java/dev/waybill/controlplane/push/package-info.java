/**
 * Push webhooks: a repository host sends a signed event for a changed branch, and deployments of that branch are
 * rebuilt.
 */
@NullMarked
package dev.waybill.controlplane.push;

import org.jspecify.annotations.NullMarked;
