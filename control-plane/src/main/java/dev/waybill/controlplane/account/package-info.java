/**
 * Organizations, their workspaces and the API keys that open them (contract.md "Accounts and keys"). Every other service
 * reads these tables to know who calls; only this package writes them. It
 * is larger than others for that reason: entities are seen by nobody outside.
 */
@NullMarked
package dev.waybill.controlplane.account;

import org.jspecify.annotations.NullMarked;
