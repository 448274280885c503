/**
 * Parses the manifests as strictly as an API server and compares them with the services' configuration, their OpenAPI descriptions
 * and docs/operations.md.
 */
@NullMarked
package dev.waybill.k8s;

import org.jspecify.annotations.NullMarked;
