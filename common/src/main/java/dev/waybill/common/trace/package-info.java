/**
 * SQL on the schema {@code trace} that several services share so that their results agree.
 */
@NullMarked
package dev.waybill.common.trace;

import org.jspecify.annotations.NullMarked;
