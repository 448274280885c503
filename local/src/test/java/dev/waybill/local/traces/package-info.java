@NullMarked
package dev.waybill.local.traces;

import org.jspecify.annotations.NullMarked;
