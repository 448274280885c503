/**
 * Error responses of every service: problem details of RFC 9457. Services define their own problem types; this package maps
 * them and all other exceptions to responses.
 */
@NullMarked
package dev.waybill.common.problem;

import org.jspecify.annotations.NullMarked;
