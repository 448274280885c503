/** Responses for events of the audit log. */
@NullMarked
package dev.waybill.common.api.audit;

import org.jspecify.annotations.NullMarked;
