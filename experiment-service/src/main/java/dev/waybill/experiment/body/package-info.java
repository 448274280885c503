/**
 * Large request bodies: taken in under a bound on memory, unpacked, and cut into parts without copying. What comes over the
 * wire here is hostile until it was read (contract.md "Trace intake": gzip, zstd, 413 and 429).
 */
@NullMarked
package dev.waybill.experiment.body;

import org.jspecify.annotations.NullMarked;
