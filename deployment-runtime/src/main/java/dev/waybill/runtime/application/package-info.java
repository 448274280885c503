/**
 * The application that this runtime serves, read once at startup ({@link dev.waybill.common.application}).
 */
@NullMarked
package dev.waybill.runtime.application;

import org.jspecify.annotations.NullMarked;
