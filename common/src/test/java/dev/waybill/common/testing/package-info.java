/**
 * Shared by the tests of every service as a test-jar: PostgreSQL with the real roles and migrations, an S3 server, accounts
 * with API keys, checks that apply to all operations, and the architecture rules.
 */
@NullMarked
package dev.waybill.common.testing;

import org.jspecify.annotations.NullMarked;
