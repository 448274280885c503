/** The program's main class. */
@NullMarked
package dev.waybill.controlplane;

import org.jspecify.annotations.NullMarked;
