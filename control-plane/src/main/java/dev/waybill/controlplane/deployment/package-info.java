/**
 * Deployments: applications of a workspace and the API that manages them. Each change of a deployment creates a
 * revision.
 */
@NullMarked
package dev.waybill.controlplane.deployment;

import org.jspecify.annotations.NullMarked;
