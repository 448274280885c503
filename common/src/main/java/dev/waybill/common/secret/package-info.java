/** Encryption at rest for customers' secrets, with key rotation and ciphertexts bound to their row. */
@NullMarked
package dev.waybill.common.secret;

import org.jspecify.annotations.NullMarked;
