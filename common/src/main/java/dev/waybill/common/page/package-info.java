/** Pagination of lists. */
@NullMarked
package dev.waybill.common.page;

import org.jspecify.annotations.NullMarked;
