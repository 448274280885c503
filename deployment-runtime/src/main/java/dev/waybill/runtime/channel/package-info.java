/**
 * Channels of the agent streaming protocol: the events of a run as the SDKs' {@code threads.stream} reads them. Pure functions
 * of a run's own events, so that each connection and each replica derives the same ids.
 */
@NullMarked
package dev.waybill.runtime.channel;

import org.jspecify.annotations.NullMarked;
