/** Authentication: API keys, bearer tokens and the workspace of the caller. */
@NullMarked
package dev.waybill.common.security;

import org.jspecify.annotations.NullMarked;
