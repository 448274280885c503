/**
 * What the service tells about itself before anything is sent: limits of several features, in one answer.
 */
@NullMarked
package dev.waybill.experiment.info;

import org.jspecify.annotations.NullMarked;
