/**
 * Soak test of concurrent updates: each deployment ends on its latest revision, no resources remain, and no request fails.
 */
@NullMarked
package dev.waybill.soak.deployments;

import org.jspecify.annotations.NullMarked;
