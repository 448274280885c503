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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An agent that remembers and asks before it acts, without dependencies: {@code java Agent.java}, with Java 17 or newer. It
 * drafts a message, waits for a person's decision on the thread, and then sends the draft or not. The runtime stores its state
 * (docs/worker-protocol-threads.md, JSON states). It needs no API key: replace draft() with a chat model.
 */
public final class Agent {

    private static final int CANCELLED = -32800;
    private static final int UNKNOWN_METHOD = -32601;

    private final Map<Object, Run> runs = new HashMap<>();
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
                case "initialize" -> initialize(id, params);
                case "ping" -> respond(id, "result", Map.of());
                case "run/start" -> start(id, params);
                case "run/credit" -> {
                    Run run = runs.get(params.get("run"));
                    if (run != null) {
                        run.credit += ((BigDecimal) params.get("bytes")).longValue();
                        run.send();
                    }
                }
                case "run/cancel" -> {
                    Run run = runs.remove(params.get("run"));
                    if (run != null) {
                        respond(run.id, "error", Map.of("code", CANCELLED, "message", "The run was cancelled."));
                    }
                }
                case "shutdown" -> System.exit(0);
                default -> {
                    if (message.containsKey("method") && id != null) {
                        respond(id, "error", Map.of("code", UNKNOWN_METHOD, "message", "The agent does not know the method."));
                    }
                }
            }
            out.flush();
        }
    }

    /** Chooses version 2 of the protocol if the runtime stores threads, and asks for a JSON state. */
    private void initialize(Object id, Map<String, Object> params) throws IOException {
        boolean remembers = Json.list(params.get("versions")).contains(BigDecimal.valueOf(2));
        respond(id, "result", Map.of("protocol_version", remembers ? 2 : 1,
                "graphs", Map.of("agent", Map.of("memory", "json", "schemas", Map.of()))));
    }

    /** Executes a run: with {@code resume} it continues at the question of the run before. */
    private void start(Object id, Map<String, Object> params) throws IOException {
        Run run = new Run(id, params);
        runs.put(params.get("run"), run);
        run.event("values", run.state);
        if (params.containsKey("resume") && run.state.get("draft") != null) {
            run.decide(params.get("resume"));
        } else {
            run.draft(Json.list(Json.object(params.get("input")).get("messages")));
        }
        run.send();
    }

    private void respond(Object id, String member, Object value) throws IOException {
        // The id is first, so that the runtime can identify the request of a line that is too long.
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("id", id);
        message.put(member, value);
        write(Json.write(message).getBytes(StandardCharsets.UTF_8));
    }

    private void write(byte[] line) throws IOException {
        out.write(line);
        out.write('\n');
    }

    /** A run: its state, and the events that wait for credit. */
    private final class Run {

        private final Object id;
        private final Object name;
        private final List<Object> modes;
        private final Map<String, Object> state;
        private final Map<String, Object> result = new LinkedHashMap<>();
        private final Deque<byte[]> events = new ArrayDeque<>();
        private long credit;

        Run(Object id, Map<String, Object> params) {
            this.id = id;
            this.name = params.get("run");
            this.modes = Json.list(params.get("stream_modes"));
            this.credit = ((BigDecimal) params.get("credit")).longValue();
            // The state that the last run on the thread returned; null for a new thread.
            this.state = new LinkedHashMap<>(Json.object(params.get("state")));
            this.state.putIfAbsent("messages", List.of());
            this.state.putIfAbsent("sent", List.of());
        }

        /** Drafts a message and ends the run with a question: the thread is interrupted until a run answers it. */
        void draft(List<Object> input) {
            Object last = input.isEmpty() ? "" : Json.object(input.get(input.size() - 1)).get("content");
            state.put("messages", plus(state.get("messages"), input));
            state.put("draft", "Draft " + (Json.list(state.get("sent")).size() + 1) + ": " + last);
            result.put("interrupt", Map.of("question", "Send this message?", "draft", state.get("draft"),
                    "decisions", List.of("approve", "reject")));
            end(Map.of("draft", state.get("draft")));
        }

        /** Continues with the decision: "approve", "reject", or another text, which replaces the draft. */
        void decide(Object decision) {
            Object text = "approve".equals(decision) ? state.get("draft") : decision;
            state.put("draft", null);
            String answer = "Nothing was sent.";
            if (!"reject".equals(decision)) {
                state.put("sent", plus(state.get("sent"), List.of(text)));
                answer = "Sent: " + text;
            }
            Map<String, Object> message = Map.of("id", "message-" + name, "type", "ai", "role", "assistant", "content", answer);
            state.put("messages", plus(state.get("messages"), List.of(message)));
            event("messages", List.of(message, Map.of("langgraph_node", "agent", "run_id", name)));
            end(Map.of("messages", List.of(message)));
        }

        private void end(Object update) {
            event("updates", Map.of("agent", update));
            event("values", state);
            // The values are the state of the thread, which the next run gets.
            result.put("values", state);
        }

        private void event(String mode, Object data) {
            if (modes.contains(mode)) {
                Map<String, Object> params = new LinkedHashMap<>();
                params.put("run", name);
                params.put("mode", mode);
                params.put("data", data);
                Map<String, Object> message = new LinkedHashMap<>();
                message.put("jsonrpc", "2.0");
                message.put("method", "run/event");
                message.put("params", params);
                events.add(Json.write(message).getBytes(StandardCharsets.UTF_8));
            }
        }

        /** Sends events while the run has credit, and its result after the last one. */
        void send() throws IOException {
            while (credit > 0 && !events.isEmpty()) {
                byte[] line = events.remove();
                credit -= line.length;
                write(line);
            }
            if (events.isEmpty()) {
                runs.remove(name);
                respond(id, "result", result);
            }
        }

        private static List<Object> plus(Object list, List<Object> more) {
            List<Object> all = new ArrayList<>(Json.list(list));
            all.addAll(more);
            return all;
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
