/**
 * What stands between every request and the operations: how often one key may ask, and headers that browsers and caches heed.
 */
@NullMarked
package dev.waybill.common.edge;

import org.jspecify.annotations.NullMarked;
