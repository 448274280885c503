/**
 * Previews of exports: returns the number of rows, the estimated size and the first runs within seconds for any range, and
 * creates nothing. It uses the validation rules of {@code job} and the reader and writer of exports; no package depends on it
 * (docs/decisions/0015-bounded-export-previews.md).
 */
@NullMarked
package dev.waybill.export.preview;

import org.jspecify.annotations.NullMarked;
