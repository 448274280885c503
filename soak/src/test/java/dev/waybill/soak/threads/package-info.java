/** Tests threads of runtimes that are killed at random. */
@NullMarked
package dev.waybill.soak.threads;

import org.jspecify.annotations.NullMarked;
