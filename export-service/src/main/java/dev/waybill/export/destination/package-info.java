/**
 * Buckets that customers name: validated by really writing to them, stored with sealed credentials, opened for exports
 * (interface.md 2.3 and 4.2, contract.md "Bulk export").
 */
@NullMarked
package dev.waybill.export.destination;

import org.jspecify.annotations.NullMarked;
