/** Requests and responses for bulk exports, their runs and destinations. */
@NullMarked
package dev.waybill.common.api.export;

import org.jspecify.annotations.NullMarked;
