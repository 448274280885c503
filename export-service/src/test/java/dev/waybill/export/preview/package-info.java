@NullMarked
package dev.waybill.export.preview;

import org.jspecify.annotations.NullMarked;
