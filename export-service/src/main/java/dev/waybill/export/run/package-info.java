/**
 * The days of an export ("runs"): planned with it, claimed under lease, and moved from state to state by statements that
 * compare the lease's token, so that only the worker that holds a day writes its outcome (interface.md 2.5,
 * docs/architecture.md
 * "Export").
 */
@NullMarked
package dev.waybill.export.run;

import org.jspecify.annotations.NullMarked;
