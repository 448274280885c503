/**
 * Reads the manifests as an API server would and holds them against what the services say of themselves: their configuration,
 * their descriptions and docs/operations.md.
 */
@NullMarked
package dev.waybill.k8s;

import org.jspecify.annotations.NullMarked;
