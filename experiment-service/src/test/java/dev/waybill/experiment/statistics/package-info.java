@NullMarked
package dev.waybill.experiment.statistics;

import org.jspecify.annotations.NullMarked;
