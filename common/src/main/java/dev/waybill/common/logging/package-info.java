/**
 * The names under which values appear in log lines, and the id that ties the lines of one request together.
 */
@NullMarked
package dev.waybill.common.logging;

import org.jspecify.annotations.NullMarked;
