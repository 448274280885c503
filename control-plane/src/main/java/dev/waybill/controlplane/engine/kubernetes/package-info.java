/**
 * Runs applications in a Kubernetes cluster: a Kubernetes Deployment for each revision, and one Service that is moved from
 * revision to revision when the new one is ready (docs/decisions/0057). All state is in the cluster.
 */
@NullMarked
package dev.waybill.controlplane.engine.kubernetes;

import org.jspecify.annotations.NullMarked;
