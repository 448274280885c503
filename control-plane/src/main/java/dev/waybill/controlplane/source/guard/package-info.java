/**
 * HTTP clients for untrusted hosts, with allowed addresses and limits of time and size.
 */
@NullMarked
package dev.waybill.controlplane.source.guard;

import org.jspecify.annotations.NullMarked;
