/**
 * Bulk exports, their runs and destinations on the wire (contract.md "Bulk export").
 */
@NullMarked
package dev.waybill.common.api.export;

import org.jspecify.annotations.NullMarked;
