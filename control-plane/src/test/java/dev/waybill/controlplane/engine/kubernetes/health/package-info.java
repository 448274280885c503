@org.jspecify.annotations.NullMarked
package dev.waybill.controlplane.engine.kubernetes.health;
