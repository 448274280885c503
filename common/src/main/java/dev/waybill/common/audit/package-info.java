/**
 * Who changed what, when and in which workspace: one line for each request that may change something, before its answer is
 * given, the same in every service (docs/operations.md "Audit log").
 */
@NullMarked
package dev.waybill.common.audit;

import org.jspecify.annotations.NullMarked;
