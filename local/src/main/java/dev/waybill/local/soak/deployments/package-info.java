/**
 * Many deployments, updated all at once: each ends on its newest revision, nothing is left over, and no request fails.
 */
@NullMarked
package dev.waybill.local.soak.deployments;

import org.jspecify.annotations.NullMarked;
