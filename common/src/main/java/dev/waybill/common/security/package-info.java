/**
 * Who is calling: API keys, bearer tokens and the workspace they speak for (contract.md "Accounts and keys").
 */
@NullMarked
package dev.waybill.common.security;

import org.jspecify.annotations.NullMarked;
