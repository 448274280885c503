@NullMarked
package dev.waybill.client;

import org.jspecify.annotations.NullMarked;
