/** Tests of the stored events of the audit log. */
@NullMarked
package dev.waybill.controlplane.audit;

import org.jspecify.annotations.NullMarked;
