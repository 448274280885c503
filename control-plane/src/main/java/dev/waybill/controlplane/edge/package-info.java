/**
 * What requests to this service may be like, whatever they are about.
 */
@NullMarked
package dev.waybill.controlplane.edge;

import org.jspecify.annotations.NullMarked;
