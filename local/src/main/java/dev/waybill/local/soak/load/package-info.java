/**
 * Everything that clients do with Waybill at once, and books of what they were answered: what must be there in the end, once
 * and
 * whole.
 */
@NullMarked
package dev.waybill.local.soak.load;

import org.jspecify.annotations.NullMarked;
