/**
 * Replicas of every service on one database and bucket, which tests kill, stop, restart and replace by replicas of another
 * release
 * while clients send requests to all of them.
 */
@NullMarked
package dev.waybill.soak.replicas;

import org.jspecify.annotations.NullMarked;
