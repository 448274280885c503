/**
 * What streaming runs costs (S1 to S4 of docs/performance.md), in processes of its own and without a stack, because the
 * runtime stands alone. Beside the runtime stand servers that do nothing but send the same events.
 */
@NullMarked
package dev.waybill.local.bench.streams;

import org.jspecify.annotations.NullMarked;
