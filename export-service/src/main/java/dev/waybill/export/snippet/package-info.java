/**
 * Texts that read one export's files with DuckDB, Spark, Athena, BigQuery, Snowflake, ClickHouse and Polars: where the files
 * lie,
 * how they are partitioned and what is in them is known here, and guessing it is where readers go wrong. Values in, text out;
 * secrets are never looked at.
 */
@NullMarked
package dev.waybill.export.snippet;

import org.jspecify.annotations.NullMarked;
