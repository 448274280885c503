/**
 * Reads runs out of the trace store for export: one consistent snapshot, in key order, by binary COPY, which costs
 * PostgreSQL half and the service a fifth of what a cursor does (docs/architecture.md "Export"). Everything here blocks
 * and belongs on a virtual thread; the only JDBC of the service is in this package.
 */
@NullMarked
package dev.waybill.export.trace;

import org.jspecify.annotations.NullMarked;
