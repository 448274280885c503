/**
 * Turns runs into Parquet files (contract.md "Bulk export", columns): the only place that knows Parquet. The pages are
 * written through parquet-hadoop, but no class of Hadoop is loaded at run time, so its entry points that take a
 * configuration, a path or a codec by name are not used: the output, the codecs and the long text columns are our own.
 * The pieces are many and small on purpose; what others use is {@link dev.waybill.export.parquet.ParquetRunWriter} and
 * the types of its constructor.
 */
@NullMarked
package dev.waybill.export.parquet;

import org.jspecify.annotations.NullMarked;
