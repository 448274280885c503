/** Downloads objects from a bucket that the operator configures; the only user of the S3 client. */
@NullMarked
package dev.waybill.experiment.storage;

import org.jspecify.annotations.NullMarked;
