/**
 * Parses the manifests as strictly as an API server and compares them with the services' configuration, their OpenAPI
 * descriptions and the pages for operators.
 */
@NullMarked
package dev.waybill.k8s;

import org.jspecify.annotations.NullMarked;
