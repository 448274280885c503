/**
 * Access to buckets through one port, {@link dev.waybill.export.storage.ObjectStore}: objects become visible only on
 * completion, failures are classified in one place, and connections to customers' endpoints pass the address guard. The only
 * package that uses the AWS SDK.
 */
@NullMarked
package dev.waybill.export.storage;

import org.jspecify.annotations.NullMarked;
