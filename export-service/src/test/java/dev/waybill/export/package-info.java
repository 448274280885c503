/** Shared code of the service's tests: configuration, clients, traces, and readers of exported files. */
@NullMarked
package dev.waybill.export;

import org.jspecify.annotations.NullMarked;
