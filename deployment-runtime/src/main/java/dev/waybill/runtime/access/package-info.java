/**
 * Authentication of callers, by configured keys and keys that the control plane verifies. Separate from common's
 * authentication,
 * which reads the account schema: a deployed application has no database and must work while other services are unavailable.
 */
@NullMarked
package dev.waybill.runtime.access;

import org.jspecify.annotations.NullMarked;
