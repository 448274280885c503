@NullMarked
package dev.waybill.runtime.stream;

import org.jspecify.annotations.NullMarked;
