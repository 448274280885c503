/**
 * The port to what runs applications. The reconciler knows revisions and their states; an engine knows processes, or a cluster.
 * Between them stand four steps that may be repeated, and plain records.
 */
@NullMarked
package dev.waybill.controlplane.engine;

import org.jspecify.annotations.NullMarked;
