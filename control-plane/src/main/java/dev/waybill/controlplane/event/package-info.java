/**
 * Events of deployments and revisions: writes the changes that other features record.
 */
@NullMarked
package dev.waybill.controlplane.event;

import org.jspecify.annotations.NullMarked;
