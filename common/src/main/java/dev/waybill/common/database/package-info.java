/** Transactions that set the workspace for row level security. */
@NullMarked
package dev.waybill.common.database;

import org.jspecify.annotations.NullMarked;
