/**
 * Integrations, deployments and revisions on the wire (interface.md 2.1 and 2.2, contract.md "Deployment management").
 */
@NullMarked
package dev.waybill.common.api.deployment;

import org.jspecify.annotations.NullMarked;
