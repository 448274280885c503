/**
 * Limits of requests that apply to every resource of this service.
 */
@NullMarked
package dev.waybill.controlplane.edge;

import org.jspecify.annotations.NullMarked;
