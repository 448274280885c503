/** The object store against the real protocol, with a proxy that makes faults. */
@NullMarked
package dev.waybill.export.storage;

import org.jspecify.annotations.NullMarked;
