/**
 * Generates snippets that read one export's files with DuckDB, Spark, Athena, BigQuery, Snowflake, ClickHouse and Polars, with
 * the exact locations, partitions and columns, which readers otherwise guess wrong. Pure functions of values that never access
 * secrets.
 */
@NullMarked
package dev.waybill.export.snippet;

import org.jspecify.annotations.NullMarked;
