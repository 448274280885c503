/**
 * Storage of threads in PostgreSQL (docs/decisions/0172): the schema {@code runtime}, which the control plane migrates. Every
 * statement names the workspace and the deployment, also where row level security compares them. The only user of the client
 * of PostgreSQL.
 */
@NullMarked
package dev.waybill.runtime.storage.postgres;

import org.jspecify.annotations.NullMarked;
