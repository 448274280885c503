/** The console: serves the web pages and passes their requests to the services' APIs with the key of the session. */
@NullMarked
package dev.waybill.console;

import org.jspecify.annotations.NullMarked;
