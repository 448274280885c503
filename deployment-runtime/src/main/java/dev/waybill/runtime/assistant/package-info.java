/**
 * The application's graphs as exposed to clients: assistants with a name and an id that is the same in all replicas.
 */
@NullMarked
package dev.waybill.runtime.assistant;

import org.jspecify.annotations.NullMarked;
