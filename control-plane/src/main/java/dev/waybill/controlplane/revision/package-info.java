/**
 * Revisions: the versions of a deployment, each with a status that only advances, and a log. A new revision supersedes
 * those in progress.
 */
@NullMarked
package dev.waybill.controlplane.revision;

import org.jspecify.annotations.NullMarked;
