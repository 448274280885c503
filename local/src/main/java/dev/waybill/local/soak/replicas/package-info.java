/**
 * Replicas of every service on one database and bucket, and what happens to them: they are killed, stopped, started, and
 * replaced by those of another release. Clients talk to all of them as real ones do.
 */
@NullMarked
package dev.waybill.local.soak.replicas;

import org.jspecify.annotations.NullMarked;
