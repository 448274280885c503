@NullMarked
package dev.waybill.soak;

import org.jspecify.annotations.NullMarked;
