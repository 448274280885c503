/**
 * JSON of every API: snake_case names, timestamps in UTC with microseconds, and request bodies whose violations are all
 * reported in one response.
 */
@NullMarked
package dev.waybill.common.json;

import org.jspecify.annotations.NullMarked;
