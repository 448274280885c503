/**
 * Writes runs to Parquet files (contract.md "Bulk export", columns); the only package that uses Parquet. It writes pages
 * through parquet-hadoop but loads no class of Hadoop at run time. It therefore avoids entry points that accept a Hadoop
 * configuration, a path or a codec name, and has its own output, codecs and encoders of long text. Other packages use {@link
 * dev.waybill.export.parquet.ParquetRunWriter} and the types of its constructor.
 */
@NullMarked
package dev.waybill.export.parquet;

import org.jspecify.annotations.NullMarked;
