/**
 * Reads closed days of runs from Parquet files in the lake bucket with an embedded DuckDB (docs/lake-queries.md). It finds keys
 * of runs only; package {@code query} reads the runs from PostgreSQL.
 */
@NullMarked
package dev.waybill.experiment.lake;

import org.jspecify.annotations.NullMarked;
