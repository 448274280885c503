/** Which engine runs applications here. Apart from the port, which knows none of its engines. */
@NullMarked
package dev.waybill.controlplane.engine.selection;

import org.jspecify.annotations.NullMarked;
