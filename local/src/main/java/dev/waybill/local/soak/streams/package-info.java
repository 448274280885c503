/**
 * {@code ./verify soak --streams}: very many clients of one runtime with 256 MiB of heap, of which some read slowly, some go
 * away
 * and most say nothing. What each is told is compared with what it asked for. A short form is among the end-to-end tests.
 */
@NullMarked
package dev.waybill.local.soak.streams;

import org.jspecify.annotations.NullMarked;
