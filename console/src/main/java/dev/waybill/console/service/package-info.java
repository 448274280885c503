/** The services behind the console: their addresses, the paths of their APIs that it passes on, and its own calls. */
@NullMarked
package dev.waybill.console.service;

import org.jspecify.annotations.NullMarked;
