@NullMarked
package dev.waybill.export.snippet;

import org.jspecify.annotations.NullMarked;
