@NullMarked
package dev.waybill.runtime.cron;

import org.jspecify.annotations.NullMarked;
