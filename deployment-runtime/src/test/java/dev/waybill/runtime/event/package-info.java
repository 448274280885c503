@NullMarked
package dev.waybill.runtime.event;

import org.jspecify.annotations.NullMarked;
