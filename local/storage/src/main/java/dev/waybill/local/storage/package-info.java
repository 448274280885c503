/**
 * What the services keep their data in, as child processes: a real PostgreSQL and a real S3 protocol, without containers. The
 * tests
 * and the one command start the same servers, so that what is tested is what a newcomer sees.
 */
@NullMarked
package dev.waybill.local.storage;

import org.jspecify.annotations.NullMarked;
