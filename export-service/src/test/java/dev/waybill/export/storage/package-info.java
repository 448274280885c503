/** Tests of the object store with the real protocol and a proxy that injects faults. */
@NullMarked
package dev.waybill.export.storage;

import org.jspecify.annotations.NullMarked;
