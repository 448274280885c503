/**
 * The reverse proxy: passes an allow-list of paths to the services and to deployed applications, with the session's key or
 * token.
 */
@NullMarked
package dev.waybill.console.proxy;

import org.jspecify.annotations.NullMarked;
