/**
 * How every service reads and writes JSON: snake_case, UTC with microseconds, and request bodies whose
 * violations come back all at once.
 */
@NullMarked
package dev.waybill.common.json;

import org.jspecify.annotations.NullMarked;
