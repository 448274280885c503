/**
 * Encryption at rest for what customers entrust to a service; keys rotate, ciphertexts are bound to their row.
 */
@NullMarked
package dev.waybill.common.secret;

import org.jspecify.annotations.NullMarked;
