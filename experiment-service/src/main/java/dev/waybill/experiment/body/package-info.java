/**
 * Reading of large request bodies: admission control, decompression, spooling to disk, multipart and JSON parsing without
 * copies. All input is untrusted (contract.md "Trace intake": gzip, zstd, 413 and 429).
 */
@NullMarked
package dev.waybill.experiment.body;

import org.jspecify.annotations.NullMarked;
