/**
 * The application's graphs as callers know them: assistants with a name and an id that is the same everywhere.
 */
@NullMarked
package dev.waybill.runtime.assistant;

import org.jspecify.annotations.NullMarked;
