/**
 * Protection of the HTTP servers: rate limits, timeouts, strict decoding and security headers, applied before any operation
 * runs.
 */
@NullMarked
package dev.waybill.common.edge;

import org.jspecify.annotations.NullMarked;
