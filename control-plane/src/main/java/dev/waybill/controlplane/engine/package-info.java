/**
 * The port to the engines that run applications. The reconciler works with revisions and their statuses, an engine with
 * processes or a cluster; the interface between them is four idempotent steps and plain records.
 */
@NullMarked
package dev.waybill.controlplane.engine;

import org.jspecify.annotations.NullMarked;
