@NullMarked
package dev.waybill.soak.load;

import org.jspecify.annotations.NullMarked;
