/**
 * Exports under fire, again and again: workers are killed and frozen, PostgreSQL crashes, the store falls silent, at random
 * moments; and whatever happened, every export must be completed with every row exactly once ({@code ./verify soak}).
 */
@NullMarked
package dev.waybill.local.soak;

import org.jspecify.annotations.NullMarked;
