/** Sessions of browsers: an API key, sealed in a cookie, so that every replica can read it and no script can. */
@NullMarked
package dev.waybill.console.session;

import org.jspecify.annotations.NullMarked;
