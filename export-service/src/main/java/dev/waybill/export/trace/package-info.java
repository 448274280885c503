/**
 * Reads runs from the trace store for exports: one consistent snapshot, in key order, by binary COPY, which costs PostgreSQL
 * half and the service a fifth of a cursor (docs/architecture.md "Export"). All calls block and belong on a worker thread. The
 * only package of the service that uses JDBC.
 */
@NullMarked
package dev.waybill.export.trace;

import org.jspecify.annotations.NullMarked;
