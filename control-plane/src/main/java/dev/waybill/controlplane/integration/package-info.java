/**
 * Integrations: which repositories a workspace may deploy from, what opens them, and what their pushes are signed with.
 */
@NullMarked
package dev.waybill.controlplane.integration;

import org.jspecify.annotations.NullMarked;
