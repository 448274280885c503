/** Requests and responses for integrations, deployments and revisions. */
@NullMarked
package dev.waybill.common.api.deployment;

import org.jspecify.annotations.NullMarked;
