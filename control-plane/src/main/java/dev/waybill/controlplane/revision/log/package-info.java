/**
 * Logs of builds and deployments of revisions, read page by page or as a stream.
 */
@NullMarked
package dev.waybill.controlplane.revision.log;

import org.jspecify.annotations.NullMarked;
