/**
 * From a plan to the objects of a cluster, by pure functions: what a revision becomes can be read in golden files and does not
 * need a cluster to be tested.
 */
@NullMarked
package dev.waybill.controlplane.engine.kubernetes.manifest;

import org.jspecify.annotations.NullMarked;
