/**
 * How many revisions are under way and how long their steps take.
 */
@NullMarked
package dev.waybill.controlplane.rollout.measure;

import org.jspecify.annotations.NullMarked;
