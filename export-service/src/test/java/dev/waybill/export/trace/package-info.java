@NullMarked
package dev.waybill.export.trace;

import org.jspecify.annotations.NullMarked;
