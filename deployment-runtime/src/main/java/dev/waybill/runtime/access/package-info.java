/**
 * Who may call the application: holders of a listed key, or of a key that the control plane knows. Beside common's, which reads
 * the account schema, because a deployed application has no database and must go on when nothing else does.
 */
@NullMarked
package dev.waybill.runtime.access;

import org.jspecify.annotations.NullMarked;
