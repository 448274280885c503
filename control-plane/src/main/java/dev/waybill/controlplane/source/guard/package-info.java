/**
 * How others are spoken with over HTTP: only at addresses that are allowed, only for so long, only so much.
 */
@NullMarked
package dev.waybill.controlplane.source.guard;

import org.jspecify.annotations.NullMarked;
