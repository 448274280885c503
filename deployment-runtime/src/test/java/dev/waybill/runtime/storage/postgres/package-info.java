/** Tests of the storage of threads in PostgreSQL. */
@NullMarked
package dev.waybill.runtime.storage.postgres;

import org.jspecify.annotations.NullMarked;
