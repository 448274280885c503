/**
 * The stored events of the audit log: lists them for admins and deletes expired ones. All services with a database store them.
 */
@NullMarked
package dev.waybill.controlplane.audit;

import org.jspecify.annotations.NullMarked;
