/**
 * Integrations: repository hosts that a workspace deploys from, with their credentials and webhook secrets.
 */
@NullMarked
package dev.waybill.controlplane.integration;

import org.jspecify.annotations.NullMarked;
