package dev.waybill.common.logging;

import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jboss.logmanager.ExtLogRecord;

import io.quarkus.logging.LoggingFilter;

/**
 * Passes every log record and copies ids written as {@code key=value} in the service's own messages to MDC fields for JSON
 * output. Parsing the message is correct on any thread and after any number of reactive steps.
 */
@LoggingFilter(name = IdFields.NAME)
public final class IdFields implements Filter {

    static final String NAME = "ids";

    private static final String OWN_LOGGERS = "dev.waybill.";
    private static final Pattern ID = Pattern
            .compile("(?<![\\w.-])([a-z]+_id|attempt|code|outcome)=([A-Za-z0-9._:-]{1,128})(?![^\\s,;)])");

    @Override
    public boolean isLoggable(LogRecord line) {
        if (line instanceof ExtLogRecord own && String.valueOf(line.getLoggerName()).startsWith(OWN_LOGGERS)) {
            String text = own.getFormattedMessage();
            Matcher ids = ID.matcher(text == null ? "" : text);
            while (ids.find()) {
                // The first occurrence wins, because later text of a message may contain user input.
                if (own.getMdc(ids.group(1)) == null) {
                    own.putMdc(ids.group(1), ids.group(2));
                }
            }
        }
        return true;
    }
}
