/**
 * Leases on rows for long work: any replica can claim a row, and a fencing token prevents a worker that lost its lease from
 * writing (docs/architecture.md "Long work").
 */
@NullMarked
package dev.waybill.common.job;

import org.jspecify.annotations.NullMarked;
