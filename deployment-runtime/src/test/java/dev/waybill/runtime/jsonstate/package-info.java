@NullMarked
package dev.waybill.runtime.jsonstate;

import org.jspecify.annotations.NullMarked;
