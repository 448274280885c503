/**
 * Transactions that carry the workspace, so that row level security stands behind every statement.
 */
@NullMarked
package dev.waybill.common.database;

import org.jspecify.annotations.NullMarked;
