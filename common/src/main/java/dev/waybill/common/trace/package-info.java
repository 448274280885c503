/**
 * What every service that reads traces must tell alike, as SQL on the tables of the schema {@code trace}.
 */
@NullMarked
package dev.waybill.common.trace;

import org.jspecify.annotations.NullMarked;
