@NullMarked
package dev.waybill.runtime.channel;

import org.jspecify.annotations.NullMarked;
