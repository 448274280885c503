/**
 * Streaming JSON of large request bodies: members are read by tables, without trees, and documents that are stored unchanged
 * remain slices of the body (docs/decisions/0152). All input is untrusted.
 */
@NullMarked
package dev.waybill.experiment.json;

import org.jspecify.annotations.NullMarked;
