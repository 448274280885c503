/**
 * Requests and responses for tracing clients: sessions (tracing projects), runs and the capabilities of the service. Submitted
 * runs are not
 * included, because the service processes them as bytes.
 */
@NullMarked
package dev.waybill.common.api.trace;

import org.jspecify.annotations.NullMarked;
