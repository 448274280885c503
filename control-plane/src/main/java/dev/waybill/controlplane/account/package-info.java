/**
 * Organizations, their workspaces and API keys (contract.md "Accounts and keys"). The other services read these tables
 * to authenticate requests; only this package writes them.
 */
@NullMarked
package dev.waybill.controlplane.account;

import org.jspecify.annotations.NullMarked;
