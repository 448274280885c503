@NullMarked
package dev.waybill.runtime.state;

import org.jspecify.annotations.NullMarked;
