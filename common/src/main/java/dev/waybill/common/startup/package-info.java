/**
 * Checks that refuse to start a service whose configuration is unsafe.
 */
@NullMarked
package dev.waybill.common.startup;

import org.jspecify.annotations.NullMarked;
