/**
 * PostgreSQL and an S3 server as child processes, without containers. The tests and {@code ./quickstart} start the same
 * servers,
 * so that the tests cover the setup that a newcomer runs.
 */
@NullMarked
package dev.waybill.local.storage;

import org.jspecify.annotations.NullMarked;
