/**
 * Sessions: the tracing projects and experiments that runs belong to.
 */
@NullMarked
package dev.waybill.experiment.session;

import org.jspecify.annotations.NullMarked;
