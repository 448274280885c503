@NullMarked
package dev.waybill.runtime.item;

import org.jspecify.annotations.NullMarked;
