/** A minute of hostile requests without a key, and what other callers, the metrics, heaps and threads show of it. */
@NullMarked
package dev.waybill.local.soak.hostile;

import org.jspecify.annotations.NullMarked;
