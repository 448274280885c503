/** Selects the engine that runs applications; separate from the port, which depends on no engine. */
@NullMarked
package dev.waybill.controlplane.engine.selection;

import org.jspecify.annotations.NullMarked;
