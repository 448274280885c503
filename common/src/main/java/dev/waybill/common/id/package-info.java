/**
 * Identifiers that the services make: UUIDv7 for new rows, UUIDv5 for names.
 */
@NullMarked
package dev.waybill.common.id;

import org.jspecify.annotations.NullMarked;
