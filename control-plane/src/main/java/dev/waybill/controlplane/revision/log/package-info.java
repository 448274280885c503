/**
 * Stored logs of builds and deployments of revisions.
 */
@NullMarked
package dev.waybill.controlplane.revision.log;

import org.jspecify.annotations.NullMarked;
