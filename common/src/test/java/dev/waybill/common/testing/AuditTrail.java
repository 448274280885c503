package dev.waybill.common.testing;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;

import org.jboss.logmanager.ExtLogRecord;

/** The audit log while a test listens, switched on for as long if it is off. */
public final class AuditTrail extends Handler implements AutoCloseable {

    private static final Logger AUDIT = Logger.getLogger("waybill.audit");
    /** Every line has these, where a collector is configured. */
    private static final Set<String> OF_THE_TRACE = Set.of("trace_id", "span_id", "trace_flags");

    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final List<Map<String, String>> fields = new CopyOnWriteArrayList<>();
    private final Level before = AUDIT.getLevel();

    private AuditTrail() {
    }

    /** Listens until it is closed. */
    public static AuditTrail listen() {
        AuditTrail trail = new AuditTrail();
        AUDIT.setLevel(Level.INFO);
        AUDIT.addHandler(trail);
        return trail;
    }

    /** The values of every line about this request, as its text tells them. */
    public List<Map<String, String>> of(String requestId) {
        return texts.stream().map(AuditTrail::values).filter(values -> requestId.equals(values.get("request_id"))).toList();
    }

    /** The same as a collector of JSON sees them. */
    public List<Map<String, String>> fieldsOf(String requestId) {
        return fields.stream().filter(values -> requestId.equals(values.get("request_id"))).toList();
    }

    /** Every line so far. */
    public List<String> texts() {
        return List.copyOf(texts);
    }

    private static Map<String, String> values(String text) {
        return Arrays.stream(text.substring(text.indexOf(": ") + 2).split(" "))
                .collect(Collectors.toMap(value -> value.substring(0, value.indexOf('=')),
                        value -> value.substring(value.indexOf('=') + 1)));
    }

    @Override
    public void publish(LogRecord line) {
        texts.add(line.getMessage());
        Map<String, String> told = new HashMap<>(ExtLogRecord.wrap(line).getMdcCopy());
        told.keySet().removeAll(OF_THE_TRACE);
        fields.add(told);
    }

    @Override
    public void flush() {
        // Nothing is held back.
    }

    @Override
    public void close() {
        AUDIT.setLevel(before);
        AUDIT.removeHandler(this);
    }
}
