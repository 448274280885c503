/**
 * Bulk exports: what may be ordered, how an order is shown, cancelled and ended (interface.md 2.4 and 4.2, contract.md "Bulk
 * export"). The work itself is in {@link dev.waybill.export.execution}.
 */
@NullMarked
package dev.waybill.export.job;

import org.jspecify.annotations.NullMarked;
