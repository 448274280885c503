/**
 * The lines of the worker protocol (docs/worker-protocol.md), read and written. Whatever bytes come, what comes out is a
 * message or says
 * what is wrong with it.
 */
@NullMarked
package dev.waybill.runtime.protocol;

import org.jspecify.annotations.NullMarked;
