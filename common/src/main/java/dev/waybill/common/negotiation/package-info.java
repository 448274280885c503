/**
 * The headers that say what a request carries and what its client accepts: one reading of {@code Accept},
 * {@code Content-Type} and {@code Content-Encoding} for every operation (contract.md "Decided on 2026-11-23").
 */
@NullMarked
package dev.waybill.common.negotiation;

import org.jspecify.annotations.NullMarked;
