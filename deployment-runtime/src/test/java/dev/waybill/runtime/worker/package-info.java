@NullMarked
package dev.waybill.runtime.worker;

import org.jspecify.annotations.NullMarked;
