/** Limits and delays that several features and services share. */
@NullMarked
package dev.waybill.common.limit;

import org.jspecify.annotations.NullMarked;
