/** Limits of rate, concurrency and memory, and delays between attempts, that several features and services share. */
@NullMarked
package dev.waybill.common.limit;

import org.jspecify.annotations.NullMarked;
