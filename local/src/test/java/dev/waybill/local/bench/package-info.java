@NullMarked
package dev.waybill.local.bench;

import org.jspecify.annotations.NullMarked;
