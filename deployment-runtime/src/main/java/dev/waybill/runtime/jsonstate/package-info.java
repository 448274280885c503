/**
 * JSON states of threads whose graphs have no checkpointer (docs/decisions/0182). The runtime stores one checkpoint for each
 * run, in the transaction of its end, with one channel for each member of the state.
 */
@NullMarked
package dev.waybill.runtime.jsonstate;

import org.jspecify.annotations.NullMarked;
