/**
 * Content negotiation: one implementation of {@code Accept}, {@code Content-Type} and {@code Content-Encoding} for every
 * operation.
 */
@NullMarked
package dev.waybill.common.negotiation;

import org.jspecify.annotations.NullMarked;
