/** The service's version, features and limits: several features contribute to one response. */
@NullMarked
package dev.waybill.experiment.info;

import org.jspecify.annotations.NullMarked;
