/**
 * Organizations, workspaces and API keys on the wire (contract.md "Accounts and keys").
 */
@NullMarked
package dev.waybill.common.api.account;

import org.jspecify.annotations.NullMarked;
