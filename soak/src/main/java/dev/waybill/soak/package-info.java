/**
 * {@code ./verify soak}: exports with random faults. Workers are killed or suspended, PostgreSQL crashes, the object store does
 * not
 * respond; every export must still complete with every row exactly once.
 */
@NullMarked
package dev.waybill.soak;

import org.jspecify.annotations.NullMarked;
