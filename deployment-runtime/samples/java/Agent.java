import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An agent that implements the worker protocol (docs/worker-protocol.md) without dependencies: {@code java Agent.java},
 * with Java 17 or newer. It echoes the last message in chunks; {@code tokens:N delay:MS} sends N chunks with a delay of
 * MS milliseconds before each, {@code fail} fails. On a thread its values are the state, so it remembers all messages.
 */
public final class Agent {

    private static final Pattern TOKENS = Pattern.compile("tokens:(\\d{1,7})(?:\\s+delay:(\\d{1,6}))?");
    private static final int CANCELLED = -32800;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, Run> runs = new ConcurrentHashMap<>();
    private final OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);

    public static void main(String[] arguments) throws IOException {
        new Agent().serve();
    }

    private void serve() throws IOException {
        BufferedReader in = new BufferedReader(
                new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, Object> message = Json.object(Json.parse(line));
            Map<String, Object> params = Json.object(message.get("params"));
            Object id = message.get("id");
            switch (String.valueOf(message.get("method"))) {
                case "initialize" -> respond(id, Map.of("protocol_version", version(params),
                        "graphs", Map.of("agent", Map.of("schemas", schemas(), "memory", "json"))));
                case "ping" -> respond(id, Map.of());
                case "run/start" -> execute(() -> start(id, params));
                case "run/credit" -> execute(() -> credit(params));
                case "run/cancel" -> execute(() -> cancel(params));
                case "shutdown" -> execute(() -> System.exit(0));
                default -> System.err.println("ignored an unknown message");
            }
        }
        System.exit(0);
    }

    /** Returns version 2 if the runtime stores threads; it then stores their states (docs/worker-protocol-threads.md). */
    private static int version(Map<String, Object> params) {
        return Json.list(params.get("versions")).contains(BigDecimal.valueOf(2)) ? 2 : 1;
    }

    private void execute(Runnable work) {
        scheduler.execute(() -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                e.printStackTrace();
            }
        });
    }

    private void start(Object id, Map<String, Object> params) {
        Run run = new Run(id, params);
        runs.put(run.name, run);
        run.start();
        flush();
    }

    private void credit(Map<String, Object> params) {
        Run run = runs.get(params.get("run"));
        if (run != null) {
            run.credit += ((BigDecimal) params.get("bytes")).longValue();
            if (run.waiting) {
                run.waiting = false;
                run.step();
                flush();
            }
        }
    }

    private void cancel(Map<String, Object> params) {
        Run run = runs.remove(params.get("run"));
        if (run != null) {
            respond(run.id, "error", Map.of("code", CANCELLED, "message", "The run was cancelled."));
            flush();
        }
    }

    private void respond(Object id, Object result) {
        respond(id, "result", result);
        flush();
    }

    /** Sends a response. The id is first, so that the runtime can identify the request of a line that is too long. */
    private void respond(Object id, String member, Object value) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("id", id);
        message.put(member, value);
        send(message);
    }

    /** @return the credit that the line takes */
    private synchronized int send(Map<String, Object> message) {
        byte[] line = Json.write(message).getBytes(StandardCharsets.UTF_8);
        try {
            out.write(line);
            out.write('\n');
        } catch (IOException e) {
            System.exit(1);
        }
        return line.length;
    }

    private synchronized void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            System.exit(1);
        }
    }

    private static Map<String, Object> schemas() {
        Map<String, Object> message = Map.of("type", "object", "required", List.of("role", "content"),
                "properties", Map.of("role", Map.of("type", "string"), "content", Map.of("type", "string")));
        Map<String, Object> messages = Map.of("type", "object",
                "properties", Map.of("messages", Map.of("type", "array", "items", message)));
        return Map.of("input_schema", messages, "output_schema", messages, "state_schema", messages);
    }

    /** A run; accessed by the scheduler's thread only. */
    private final class Run {

        private final Object id;
        private final String name;
        private final List<Object> modes;
        private final List<Object> messages;
        private IntFunction<String> chunks;
        private int count;
        private final StringBuilder text = new StringBuilder();
        private final Deque<Map<String, Object>> events = new ArrayDeque<>();
        private long delay;
        private long credit;
        private int next;
        private boolean delayElapsed;
        private boolean waiting;
        private List<Object> all;
        private final boolean traced;
        private final boolean needsValues;
        private final long startedAt = System.currentTimeMillis();
        private long firstChunkAt;

        Run(Object id, Map<String, Object> params) {
            this.id = id;
            this.name = (String) params.get("run");
            this.modes = Json.list(params.get("stream_modes"));
            // The state is that of the last run on the thread; null for a new thread, and absent without one.
            this.messages = new ArrayList<>(Json.list(Json.object(params.get("state")).get("messages")));
            this.messages.addAll(Json.list(Json.object(params.get("input")).get("messages")));
            this.credit = ((BigDecimal) params.get("credit")).longValue();
            this.traced = params.containsKey("steps");
            this.needsValues = !Boolean.FALSE.equals(params.get("values"));
        }

        void start() {
            Object last = messages.isEmpty() ? "" : Json.object(messages.get(messages.size() - 1)).get("content");
            String text = last instanceof String ? (String) last : Json.write(last);
            if (text.strip().equals("fail")) {
                reportStep("error", "AskedToFail: The agent was asked to fail.", Map.of());
                runs.remove(name);
                respond(id, "error", Map.of("code", 1, "message", "The agent was asked to fail.",
                        "data", Map.of("error", "AskedToFail")));
                return;
            }
            Matcher tokens = TOKENS.matcher(text.strip());
            if (tokens.matches()) {
                delay = tokens.group(2) == null ? 0 : Long.parseLong(tokens.group(2));
                count = Integer.parseInt(tokens.group(1));
                chunks = i -> "token-" + i + " ";
            } else {
                List<String> words = List.of(text.split("(?<=\\s)"));
                count = words.size();
                chunks = words::get;
            }
            event("values", Map.of("messages", messages));
            step();
        }

        private void scheduleNextChunk() {
            scheduler.schedule(() -> {
                delayElapsed = true;
                step();
                flush();
            }, delay, TimeUnit.MILLISECONDS);
        }

        /** Sends events while the run has credit; an event may exceed the remaining credit. */
        void step() {
            while (runs.get(name) == this) {
                if (credit <= 0) {
                    waiting = true;
                    return;
                }
                if (!events.isEmpty()) {
                    credit -= send(events.remove());
                } else if (next < count && delay > 0 && !delayElapsed) {
                    scheduleNextChunk();
                    return;
                } else if (next < count) {
                    delayElapsed = false;
                    sendChunk(chunks.apply(next++));
                } else if (all == null) {
                    end();
                } else {
                    runs.remove(name);
                    respond(id, "result", needsValues ? Map.of("values", Map.of("messages", all)) : Map.of());
                }
            }
        }

        private void sendChunk(String chunk) {
            firstChunkAt = next == 1 ? System.currentTimeMillis() : firstChunkAt;
            text.append(chunk);
            event("messages", List.of(message("AIMessageChunk", chunk), Map.of("langgraph_node", "agent", "run_id", name)));
            event("custom", Map.of("pieces", next));
        }

        private void end() {
            Map<String, Object> answer = message("ai", text.toString());
            all = new ArrayList<>(messages);
            all.add(answer);
            event("updates", Map.of("agent", Map.of("messages", List.of(answer))));
            event("values", Map.of("messages", all));
            long words = messages.stream().map(message -> String.valueOf(Json.object(message).get("content")))
                    .mapToLong(content -> content.split("\\s+").length).sum();
            reportStep("outputs", Map.of("messages", List.of(answer)), Map.of("usage_metadata",
                    Map.of("input_tokens", words, "output_tokens", count, "total_tokens", words + count)));
        }

        /** Reports the run's only step, the echoing model, if the runtime requested steps. */
        private void reportStep(String member, Object value, Map<String, Object> metadata) {
            if (traced) {
                Map<String, Object> step = new LinkedHashMap<>();
                step.put("run", name);
                step.put("id", "echo");
                step.put("name", "echo");
                step.put("run_type", "llm");
                step.put("start_time", startedAt);
                step.put("end_time", System.currentTimeMillis());
                step.put("first_token_time", firstChunkAt == 0 ? null : firstChunkAt);
                step.put("inputs", Map.of("messages", messages));
                step.put(member, value);
                step.put("metadata", metadata);
                send(notification("run/step", step));
            }
        }

        private static Map<String, Object> notification(String method, Map<String, Object> params) {
            Map<String, Object> message = new LinkedHashMap<>();
            message.put("jsonrpc", "2.0");
            message.put("method", method);
            message.put("params", params);
            return message;
        }

        private Map<String, Object> message(String type, String content) {
            Map<String, Object> message = new LinkedHashMap<>();
            message.put("id", "message-" + name);
            message.put("type", type);
            message.put("role", "assistant");
            message.put("content", content);
            return message;
        }

        private void event(String mode, Object data) {
            if (modes.contains(mode)) {
                // The run is before the data, so that the runtime can identify the run of a line that is too long.
                Map<String, Object> params = new LinkedHashMap<>();
                params.put("run", name);
                params.put("mode", mode);
                params.put("data", data);
                events.add(notification("run/event", params));
            }
        }
    }

    /** A JSON parser and writer with the features that the protocol needs; numbers are BigDecimal. */
    private static final class Json {

        private final String text;
        private int at;

        private Json(String text) {
            this.text = text;
        }

        static Object parse(String text) {
            return new Json(text).value();
        }

        @SuppressWarnings("unchecked")
        static Map<String, Object> object(Object value) {
            return value instanceof Map ? (Map<String, Object>) value : Map.of();
        }

        @SuppressWarnings("unchecked")
        static List<Object> list(Object value) {
            return value instanceof List ? (List<Object>) value : List.of();
        }

        private char peek() {
            while (text.charAt(at) <= ' ') {
                at++;
            }
            return text.charAt(at);
        }

        private boolean take(char expected) {
            if (peek() != expected) {
                return false;
            }
            at++;
            return true;
        }

        private Object value() {
            switch (peek()) {
                case '{':
                    return members();
                case '[':
                    return elements();
                case '"':
                    return string();
                default:
                    int from = at;
                    while (at < text.length() && ",]} \t\r".indexOf(text.charAt(at)) < 0) {
                        at++;
                    }
                    String word = text.substring(from, at);
                    return switch (word) {
                        case "null" -> null;
                        case "true" -> true;
                        case "false" -> false;
                        default -> new BigDecimal(word);
                    };
            }
        }

        private Map<String, Object> members() {
            Map<String, Object> members = new LinkedHashMap<>();
            at++;
            while (!take('}')) {
                take(',');
                peek();
                String name = string();
                take(':');
                members.put(name, value());
            }
            return members;
        }

        private List<Object> elements() {
            List<Object> elements = new ArrayList<>();
            at++;
            while (!take(']')) {
                take(',');
                elements.add(value());
            }
            return elements;
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c != '\\') {
                    string.append(c);
                    continue;
                }
                c = text.charAt(++at);
                switch (c) {
                    case 'n' -> string.append('\n');
                    case 't' -> string.append('\t');
                    case 'r' -> string.append('\r');
                    case 'b' -> string.append('\b');
                    case 'f' -> string.append('\f');
                    case 'u' -> {
                        string.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                        at += 4;
                    }
                    default -> string.append(c);
                }
            }
            at++;
            return string.toString();
        }

        static String write(Object value) {
            StringBuilder json = new StringBuilder();
            write(value, json);
            return json.toString();
        }

        private static void write(Object value, StringBuilder json) {
            if (value instanceof Map<?, ?> map) {
                String separator = "{";
                for (Map.Entry<?, ?> member : map.entrySet()) {
                    json.append(separator);
                    quote(String.valueOf(member.getKey()), json);
                    write(member.getValue(), json.append(':'));
                    separator = ",";
                }
                json.append(map.isEmpty() ? "{}" : "}");
            } else if (value instanceof List<?> list) {
                String separator = "[";
                for (Object element : list) {
                    write(element, json.append(separator));
                    separator = ",";
                }
                json.append(list.isEmpty() ? "[]" : "]");
            } else if (value instanceof String string) {
                quote(string, json);
            } else {
                json.append(value);
            }
        }

        private static void quote(String string, StringBuilder json) {
            json.append('"');
            for (int i = 0; i < string.length(); i++) {
                char c = string.charAt(i);
                if (c == '"' || c == '\\') {
                    json.append('\\').append(c);
                } else if (c < ' ' || Character.isSurrogate(c)) {
                    json.append(String.format("\\u%04x", (int) c));
                } else {
                    json.append(c);
                }
            }
            json.append('"');
        }
    }
}
