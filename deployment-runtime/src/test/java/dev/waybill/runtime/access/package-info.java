@NullMarked
package dev.waybill.runtime.access;

import org.jspecify.annotations.NullMarked;
