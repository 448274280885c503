/**
 * How services begin, and the checks that refuse to start one whose configuration is unsafe.
 */
@NullMarked
package dev.waybill.common.startup;

import org.jspecify.annotations.NullMarked;
