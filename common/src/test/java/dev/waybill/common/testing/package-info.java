/**
 * What every service's tests start from: a real PostgreSQL with the real roles and migrations, a real S3 protocol, accounts and
 * their keys, and the rules of architecture. Packed as the test-jar, so that each of them exists once.
 */
@NullMarked
package dev.waybill.common.testing;

import org.jspecify.annotations.NullMarked;
