/**
 * Buckets behind one port, {@link dev.waybill.export.storage.ObjectStore}: objects become visible only when they are completed,
 * failures are classified
 * once, and endpoints that customers name are reached through the address guard. The only place that knows the AWS SDK.
 */
@NullMarked
package dev.waybill.export.storage;

import org.jspecify.annotations.NullMarked;
