/**
 * {@code ./verify soak --hostile}: sends hostile requests without a key for a minute and checks the latency of other clients,
 * the
 * metrics, the heaps and the threads.
 */
@NullMarked
package dev.waybill.soak.hostile;

import org.jspecify.annotations.NullMarked;
