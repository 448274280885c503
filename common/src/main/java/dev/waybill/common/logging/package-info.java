/** Keys of values in log lines, and the id that links the lines of one request. */
@NullMarked
package dev.waybill.common.logging;

import org.jspecify.annotations.NullMarked;
