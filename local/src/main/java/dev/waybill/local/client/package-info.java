/**
 * Waybill and its bucket as a customer sees them: HTTP with an API key, and S3. Nothing here knows a service's code, so that
 * what the
 * tour and the end-to-end tests do, anybody can do.
 */
@NullMarked
package dev.waybill.local.client;

import org.jspecify.annotations.NullMarked;
