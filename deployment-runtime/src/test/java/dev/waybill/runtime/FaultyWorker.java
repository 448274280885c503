package dev.waybill.runtime;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Worker program whose fault is selected by the input's member {@code do}. */
public final class FaultyWorker {

    private static final Pattern MEMBER = Pattern.compile("\"(id|method|run|do)\":\"?([^\",}]+)");

    private final OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
    private final Map<String, String> open = new HashMap<>();
    private final Set<String> deaf = new HashSet<>();
    private final Set<String> talkative = new HashSet<>();

    public static void main(String[] arguments) throws IOException, InterruptedException {
        new FaultyWorker().serve();
    }

    private void serve() throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(
                new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, String> message = new HashMap<>();
            for (Matcher member = MEMBER.matcher(line); member.find();) {
                message.putIfAbsent(member.group(1), member.group(2));
            }
            switch (message.getOrDefault("method", "")) {
                case "initialize" -> result(message.get("id"), "{\"protocol_version\":1,\"graphs\":{}}");
                case "ping" -> result(message.get("id"), "{}");
                case "run/start" -> start(message);
                case "run/cancel" -> cancel(message.get("run"));
                default -> {
                    // Ignores credit.
                }
            }
            out.flush();
        }
    }

    private void cancel(String run) throws IOException {
        for (int i = 0; i < 4 && talkative.contains(run); i++) {
            event(run, "\"" + "x".repeat(1 << 19) + "\"");
        }
        String id = open.remove(run);
        if (id != null && !deaf.contains(run)) {
            line("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32800,\"message\":\"cancelled\"}}");
        }
    }

    private void start(Map<String, String> message) throws IOException, InterruptedException {
        String run = message.get("run");
        String id = message.get("id");
        open.put(run, id);
        switch (message.getOrDefault("do", "")) {
            case "exit" -> System.exit(3);
            case "speak-and-exit" -> {
                event(run, "\"before\"");
                System.exit(3);
            }
            case "speak-and-fail" -> {
                event(run, "\"before\"");
                open.remove(run);
                line("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":1,\"message\":\"in the middle\","
                        + "\"data\":{\"error\":\"Half\"}}}");
            }
            case "deaf" -> deaf.add(run);
            case "talkative" -> talkative.add(run);
            case "stay" -> {
                // Runs until it is cancelled.
            }
            case "end" -> {
                open.remove(run);
                for (Map.Entry<String, String> other : Map.copyOf(open).entrySet()) {
                    event(other.getKey(), "\"late\"");
                    result(other.getValue(), "{\"values\":\"stayed\"}");
                }
                result(id, "{\"values\":\"ended\"}");
            }
            case "pid" -> result(id, "{\"values\":" + ProcessHandle.current().pid() + "}");
            case "env" -> result(id, "{\"values\":\"" + System.getenv("GREETING") + " " + System.getenv("WAYBILL_X") + "\"}");
            case "print" -> {
                line("a stray print");
                result(id, "{\"values\":\"printed\"}");
            }
            case "garbage" ->
                line("{\"jsonrpc\":\"2.0\",\"method\":\"run/event\",\"params\":{\"run\":\"" + run + "\",\"mode\":");
            case "anonymous-garbage" -> line("{\"jsonrpc\":");
            case "long" -> {
                event(run, "\"before\"");
                write("{\"jsonrpc\":\"2.0\",\"method\":\"run/event\",\"params\":{\"run\":\"" + run
                        + "\",\"mode\":\"custom\",\"data\":\"");
                String much = "x".repeat(1 << 20);
                for (int i = 0; i < 100; i++) {
                    write(much);
                }
                line("\"}}");
                result(id, "{\"values\":\"small\"}");
            }
            case "long-answer" -> {
                event(run, "\"before\"");
                result(id, "{\"values\":\"" + "x".repeat(2 << 20) + "\"}");
            }
            case "some-too-many" -> flood(run, 2_000);
            case "flood" -> flood(run, Integer.MAX_VALUE);
            case "steps" -> {
                for (int i = 0; i < 5_000; i++) {
                    step(run, "step-" + i);
                }
                result(id, "{\"values\":\"told\"}");
            }
            case "flood-of-steps" -> {
                for (int i = 0; i < Integer.MAX_VALUE; i++) {
                    step(run, "step");
                }
            }
            case "hang" -> Thread.sleep(Long.MAX_VALUE);
            case "inject" -> {
                event(run, "{\"a\":\r1,\r\"b\":\"\\r\\ndata: 2\"}");
                line("{\"jsonrpc\":\"2.0\",\"method\":\"run/event\",\"params\":{\"run\":\"" + run
                        + "\",\"mode\":\"custom\",\"namespace\":[\"a\\nevent: end\"],\"data\":1}}");
            }
            default -> result(id, "{\"values\":null}");
        }
    }

    private void flood(String run, int events) throws IOException {
        for (int i = 0; i < events; i++) {
            event(run, "\"" + "y".repeat(100) + "\"");
        }
    }

    private void step(String run, String id) throws IOException {
        line("{\"jsonrpc\":\"2.0\",\"method\":\"run/step\",\"params\":{\"run\":\"" + run + "\",\"id\":\"" + id
                + "\",\"name\":\"some step\",\"start_time\":1,\"inputs\":{\"a\":1}}}");
    }

    private void event(String run, String data) throws IOException {
        line("{\"jsonrpc\":\"2.0\",\"method\":\"run/event\",\"params\":{\"run\":\"" + run + "\",\"mode\":\"custom\",\"data\":"
                + data + "}}");
    }

    private void result(String id, String result) throws IOException {
        open.values().remove(id);
        line("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
    }

    private void line(String text) throws IOException {
        write(text);
        out.write('\n');
        out.flush();
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
