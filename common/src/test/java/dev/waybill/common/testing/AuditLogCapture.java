package dev.waybill.common.testing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jboss.logmanager.ExtLogRecord;

/** Captures the audit log until it is closed; enables the log if it is disabled. */
public final class AuditLogCapture extends Handler implements AutoCloseable {

    private static final Logger AUDIT = Logger.getLogger("waybill.audit");
    /** Fields of every line if a collector is configured. */
    private static final Set<String> TRACE_FIELDS = Set.of("trace_id", "span_id", "trace_flags");
    /** Only values in quotes contain spaces. */
    private static final Pattern VALUE = Pattern.compile("(\\w+)=(?:\"([^\"]*)\"|(\\S+))");

    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final List<Map<String, String>> fields = new CopyOnWriteArrayList<>();
    private final Level before = AUDIT.getLevel();

    private AuditLogCapture() {
    }

    /** Starts capturing. */
    public static AuditLogCapture listen() {
        AuditLogCapture capture = new AuditLogCapture();
        AUDIT.setLevel(Level.INFO);
        AUDIT.addHandler(capture);
        return capture;
    }

    /** Returns the values in the message of every line of this request. */
    public List<Map<String, String>> of(String requestId) {
        return texts.stream().map(AuditLogCapture::values).filter(values -> requestId.equals(values.get("request_id")))
                .toList();
    }

    /** Returns the MDC fields of every line of this request. */
    public List<Map<String, String>> fieldsOf(String requestId) {
        return fields.stream().filter(values -> requestId.equals(values.get("request_id"))).toList();
    }

    /** Returns the messages of all lines so far. */
    public List<String> texts() {
        return List.copyOf(texts);
    }

    private static Map<String, String> values(String text) {
        return VALUE.matcher(text).results()
                .collect(Collectors.toMap(value -> value.group(1),
                        value -> value.group(2) == null ? value.group(3) : value.group(2)));
    }

    @Override
    public void publish(LogRecord line) {
        texts.add(line.getMessage());
        Map<String, String> values = new HashMap<>(ExtLogRecord.wrap(line).getMdcCopy());
        values.keySet().removeAll(TRACE_FIELDS);
        fields.add(values);
    }

    @Override
    public void flush() {
        // Not buffered.
    }

    @Override
    public void close() {
        AUDIT.setLevel(before);
        AUDIT.removeHandler(this);
    }
}
