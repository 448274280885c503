/**
 * Tests of accounts over HTTP (contract.md "Accounts and keys").
 */
@NullMarked
package dev.waybill.controlplane.account;

import org.jspecify.annotations.NullMarked;
