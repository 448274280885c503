/**
 * Destinations of exports: buckets that customers name. Validates them by writing an object, stores their credentials
 * encrypted, and opens them for exports (interface.md 2.3 and 4.2, contract.md "Bulk export").
 */
@NullMarked
package dev.waybill.export.destination;

import org.jspecify.annotations.NullMarked;
