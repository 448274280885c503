@org.jspecify.annotations.NullMarked
package dev.waybill.controlplane.engine.selection;
