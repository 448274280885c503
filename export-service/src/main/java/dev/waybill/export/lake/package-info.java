/**
 * Stores closed days of workspaces a second time as Parquet files in Waybill's own bucket (docs/lake.md). PostgreSQL remains
 * the
 * source: a day is valid only while no transaction outside the snapshot of its files changed it.
 */
@NullMarked
package dev.waybill.export.lake;

import org.jspecify.annotations.NullMarked;
