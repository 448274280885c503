@NullMarked
package dev.waybill.export.verification;

import org.jspecify.annotations.NullMarked;
