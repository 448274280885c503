/** The text index of the lake's files, which export-service writes and experiment-service reads (docs/decisions/0187). */
@NullMarked
package dev.waybill.common.lake;

import org.jspecify.annotations.NullMarked;
