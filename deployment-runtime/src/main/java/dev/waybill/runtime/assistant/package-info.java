/**
 * Assistants: those of the application's graphs, whose ids are the same in all replicas, and stored ones with settings for
 * runs.
 */
@NullMarked
package dev.waybill.runtime.assistant;

import org.jspecify.annotations.NullMarked;
