/** Tests of the adapter for one SQLite file, against real files and processes. */
@NullMarked
package dev.waybill.runtime.storage.sqlite;

import org.jspecify.annotations.NullMarked;
