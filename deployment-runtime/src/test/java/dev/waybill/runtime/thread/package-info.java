@NullMarked
package dev.waybill.runtime.thread;

import org.jspecify.annotations.NullMarked;
