/**
 * The storage port of threads (docs/decisions/0172): interfaces and records without a technology. An adapter completes every
 * Uni on the caller's context and never blocks it. Every method takes the owner, the key of a thread or the fence of a run.
 */
@NullMarked
package dev.waybill.runtime.storage;

import org.jspecify.annotations.NullMarked;
