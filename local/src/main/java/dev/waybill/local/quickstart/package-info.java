/** The one command (design "The one command"): what it is told, what it shows, what it leaves behind. */
@NullMarked
package dev.waybill.local.quickstart;

import org.jspecify.annotations.NullMarked;
