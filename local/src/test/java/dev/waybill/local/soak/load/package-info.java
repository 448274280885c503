@NullMarked
package dev.waybill.local.soak.load;

import org.jspecify.annotations.NullMarked;
