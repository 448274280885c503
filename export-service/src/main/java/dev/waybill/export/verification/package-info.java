/**
 * Verifications of exports: jobs that read the objects in the bucket again, compare them with what the export has written, and
 * sign a receipt for intact exports (docs/decisions/0164).
 */
@NullMarked
package dev.waybill.export.verification;

import org.jspecify.annotations.NullMarked;
