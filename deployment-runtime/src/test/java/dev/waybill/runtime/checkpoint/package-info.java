@NullMarked
package dev.waybill.runtime.checkpoint;

import org.jspecify.annotations.NullMarked;
