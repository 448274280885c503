@NullMarked
package dev.waybill.runtime.run;

import org.jspecify.annotations.NullMarked;
