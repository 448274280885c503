/**
 * The engine for long work: any replica can claim a row under a lease and performs its job, and a fencing token prevents a
 * worker that lost its lease from writing (docs/architecture.md "Long work"). A service implements {@link
 * dev.waybill.common.job.JobHandler} and polls a {@link dev.waybill.common.job.JobRunner}.
 */
@NullMarked
package dev.waybill.common.job;

import org.jspecify.annotations.NullMarked;
