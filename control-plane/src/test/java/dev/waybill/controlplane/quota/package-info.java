/**
 * Limits of workspaces, from outside and alone.
 */
@NullMarked
package dev.waybill.controlplane.quota;

import org.jspecify.annotations.NullMarked;
