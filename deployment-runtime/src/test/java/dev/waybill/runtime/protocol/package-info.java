@NullMarked
package dev.waybill.runtime.protocol;

import org.jspecify.annotations.NullMarked;
