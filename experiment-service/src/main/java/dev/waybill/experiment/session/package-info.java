/**
 * Sessions: the tracing projects and experiments that runs belong to, their statistics, and the deletion of sessions and of
 * datasets with their experiments (docs/decisions/0027).
 */
@NullMarked
package dev.waybill.experiment.session;

import org.jspecify.annotations.NullMarked;
