package dev.waybill.common.logging;

import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jboss.logmanager.ExtLogRecord;

import io.quarkus.logging.LoggingFilter;

/**
 * Lets every line pass, and gives the ids that our own lines tell as {@code key=value} fields of their own in JSON. Taken from
 * the text, they are right on whatever thread and after however many reactive steps a line is written.
 */
@LoggingFilter(name = IdFields.NAME)
public final class IdFields implements Filter {

    static final String NAME = "ids";

    private static final String HOUSE = "dev.waybill.";
    private static final Pattern ID = Pattern
            .compile("(?<![\\w.-])([a-z]+_id|attempt|code|outcome)=([A-Za-z0-9._:-]{1,128})(?![^\\s,;)])");

    @Override
    public boolean isLoggable(LogRecord line) {
        if (line instanceof ExtLogRecord ours && String.valueOf(line.getLoggerName()).startsWith(HOUSE)) {
            String text = ours.getFormattedMessage();
            Matcher ids = ID.matcher(text == null ? "" : text);
            while (ids.find()) {
                // What came later in a line may be somebody else's words.
                if (ours.getMdc(ids.group(1)) == null) {
                    ours.putMdc(ids.group(1), ids.group(2));
                }
            }
        }
        return true;
    }
}
