/**
 * Adapter of the storage port for one SQLite file (docs/decisions/0172): for a runtime that stands alone. The only package
 * that uses JDBC and SQLite. All statements run on two threads of the adapter, one for writes and one for reads.
 */
@NullMarked
package dev.waybill.runtime.storage.sqlite;

import org.jspecify.annotations.NullMarked;
