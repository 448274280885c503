/** The store over HTTP (docs/decisions/0170): clients store, find and delete items, which graphs share. */
@NullMarked
package dev.waybill.runtime.item;

import org.jspecify.annotations.NullMarked;
