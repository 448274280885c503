@NullMarked
package dev.waybill.soak.streams;

import org.jspecify.annotations.NullMarked;
