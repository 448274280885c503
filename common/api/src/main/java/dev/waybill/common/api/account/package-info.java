/** Requests and responses for organizations, workspaces and API keys. */
@NullMarked
package dev.waybill.common.api.account;

import org.jspecify.annotations.NullMarked;
