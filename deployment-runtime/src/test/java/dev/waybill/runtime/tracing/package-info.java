@NullMarked
package dev.waybill.runtime.tracing;

import org.jspecify.annotations.NullMarked;
