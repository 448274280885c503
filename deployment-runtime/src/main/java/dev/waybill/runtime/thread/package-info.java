/**
 * Threads over HTTP (docs/decisions/0170): clients create, find, change, copy and delete them. Their runs and their state are
 * features of their own.
 */
@NullMarked
package dev.waybill.runtime.thread;

import org.jspecify.annotations.NullMarked;
