/** The contract of the storage of threads, which every adapter fulfils. */
@NullMarked
package dev.waybill.runtime.storage;

import org.jspecify.annotations.NullMarked;
