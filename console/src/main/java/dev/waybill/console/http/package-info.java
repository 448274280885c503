/** HTTP of the console itself: security headers, the pages of the application, problem types and protection from forgery. */
@NullMarked
package dev.waybill.console.http;

import org.jspecify.annotations.NullMarked;
