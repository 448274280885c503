/**
 * The records that tracing clients send and read: sessions (tracing projects), runs and what the service announces of
 * itself (contract.md "Trace intake"). Runs on their way in are not here: they stay the bytes they came as.
 */
@NullMarked
package dev.waybill.common.api.trace;

import org.jspecify.annotations.NullMarked;
