/**
 * Checks of addresses specified by customers: buckets, webhooks and repositories are untrusted and are checked when stored and
 * at each connection.
 */
@NullMarked
package dev.waybill.common.net;

import org.jspecify.annotations.NullMarked;
