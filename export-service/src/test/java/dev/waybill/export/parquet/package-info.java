@NullMarked
package dev.waybill.export.parquet;

import org.jspecify.annotations.NullMarked;
