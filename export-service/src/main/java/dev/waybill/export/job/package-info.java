/**
 * Bulk exports: validation, creation, reading, cancellation and status changes (interface.md 2.4 and 4.2, contract.md "Bulk
 * export"). {@link dev.waybill.export.execution} executes them.
 */
@NullMarked
package dev.waybill.export.job;

import org.jspecify.annotations.NullMarked;
