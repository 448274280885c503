/**
 * Streams of server-sent events.
 */
@NullMarked
package dev.waybill.common.sse;

import org.jspecify.annotations.NullMarked;
