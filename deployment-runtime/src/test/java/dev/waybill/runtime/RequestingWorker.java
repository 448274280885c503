package dev.waybill.runtime;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Worker program of version 2 that sends requests, selected by the input's member {@code do}; offered version 1, it has that.
 */
public final class RequestingWorker {

    private static final Pattern MEMBER = Pattern.compile("\"(id|method|run|do)\":\"?([^\",}]+)");
    private static final String CHECKPOINT = "1ef4f797-8335-6428-8001-8a1503f9b875";
    private static final int PART = 256 << 10;

    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private final Map<Long, CompletableFuture<String>> responses = new ConcurrentHashMap<>();
    private final Map<String, String> runs = new ConcurrentHashMap<>();
    private final AtomicLong requests = new AtomicLong();

    public static void main(String[] arguments) throws IOException {
        new RequestingWorker().serve();
    }

    private void serve() throws IOException {
        BufferedReader in = new BufferedReader(
                new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, String> message = new HashMap<>();
            for (Matcher member = MEMBER.matcher(line); member.find();) {
                message.putIfAbsent(member.group(1), member.group(2));
            }
            String id = message.get("id");
            switch (message.getOrDefault("method", "")) {
                case "initialize" -> respond(id, line.contains("\"versions\":[1,2]") ? """
                        {"protocol_version":2,"text_types":["json"],"operations":["state"],
                        "graphs":{"agent":{"memory":"checkpoints","store":true}}}""".replace("\n", "")
                        : "{\"protocol_version\":1,\"graphs\":{}}");
                case "ping" -> respond(id, "{}");
                case "thread/state" -> Thread.ofVirtual().start(() -> state(id, message.get("run")));
                case "run/cancel" -> {
                    String open = runs.remove(message.get("run"));
                    write("{\"id\":" + open + ",\"error\":{\"code\":-32800,\"message\":\"cancelled\","
                            + "\"data\":{\"state\":{\"next\":[\"approve\"]}}}}");
                }
                case "run/start" -> {
                    runs.put(message.get("run"), id);
                    Thread.ofVirtual().start(() -> run(id, message.get("run"), message.get("do")));
                }
                case "" -> responses.remove(Long.parseLong(id)).complete(line);
                default -> {
                    // Ignores credit.
                }
            }
        }
        System.exit(0);
    }

    private void run(String id, String run, String what) {
        switch (what) {
            case "remember" -> {
                request(run, "checkpoint/put", put("[\"messages\",\"1\",\"json\",\"[\\\"hello\\\"]\"]"));
                request(run, "checkpoint/putWrites", writes("t", "\"1\""));
                respond(id, "{\"values\":" + result(request(run, "checkpoint/get", "\"ns\":\"\"").join()) + "}");
            }
            case "stay" -> {
                // Runs until it is cancelled.
            }
            case "state" -> respond(id, "{\"values\":1,\"state\":{\"next\":[]}}");
            case "order" -> {
                CompletableFuture<?>[] sent = new CompletableFuture<?>[100];
                for (int i = 0; i < sent.length; i++) {
                    sent[i] = request(run, "checkpoint/putWrites", writes(run.substring(0, 8) + "-" + i, "\"1\""));
                }
                CompletableFuture.allOf(sent).join();
                respond(id, "{\"values\":\"ordered\"}");
            }
            case "last", "broken-last" -> {
                String operation = "{\"method\":\"checkpoint/putWrites\"," + writes("t", what.equals("last") ? "\"1\"" : "1")
                        + "}";
                write("{\"jsonrpc\":\"2.0\",\"method\":\"checkpoint/last\",\"params\":{\"run\":\"" + run
                        + "\",\"operations\":[" + operation + "]}}");
                respond(id, "{\"values\":\"done\"}");
            }
            case "large-last" -> {
                write("{\"jsonrpc\":\"2.0\",\"method\":\"checkpoint/last\",\"params\":{\"run\":\"" + run
                        + "\",\"operations\":[{\"method\":\"checkpoint/putWrites\","
                        + writes("t", '"' + "x".repeat(300 << 10) + '"') + "}]}}");
                respond(id, "{\"values\":\"done\",\"state\":{\"next\":[]}}");
            }
            case "failed-last" -> {
                write("{\"jsonrpc\":\"2.0\",\"method\":\"checkpoint/last\",\"params\":{\"run\":\"" + run
                        + "\",\"operations\":[{\"method\":\"checkpoint/putWrites\"," + writes("t", "1") + "}]}}");
                write("{\"id\":" + id + ",\"error\":{\"code\":1,\"message\":\"failed\",\"data\":{\"state\":{\"next\":[]}}}}");
            }
            case "large" -> respond(id, "{\"values\":" + sendLarge(run, 3 << 20) + "}");
            case "large-result" -> sendLargeResult(id, run);
            case "incomplete-result" -> respond(id, "{\"parts\":3}");
            case "flood" -> {
                for (int i = 0; i < 20; i++) {
                    request(run, "checkpoint/putWrites", writes("never-stored", '"' + "x".repeat(1 << 20) + '"'));
                }
            }
            case "broken" -> write("{\"id\":1,\"method\":\"checkpoint/put\",\"params\":{\"run\":\"" + run + "\",\"ns\":}}");
            case "too-long" -> write("{\"id\":1,\"method\":\"checkpoint/put\",\"params\":{\"run\":\"" + run + "\",\"ns\":\""
                    + "x".repeat(5 << 20) + "\"}}");
            case "foreign" -> respond(id, "{\"values\":"
                    + error(request("01234567-89ab-7def-8123-456789abcdef", "checkpoint/get", "\"ns\":\"\"").join()) + "}");
            case "read" -> respond(id, "{\"values\":" + error(request(run, "checkpoint/get", "\"ns\":\"\"").join()) + "}");
            case "unknown" -> respond(id, "{\"values\":" + error(request(run, "checkpoint/later", "\"ns\":\"\"").join()) + "}");
            default -> respond(id, "{\"values\":\"echo\"}");
        }
    }

    private void sendLargeResult(String id, String run) {
        String text = "{\"values\":\"" + "v".repeat(3 << 20) + "\"}";
        int parts = 0;
        for (int from = 0; from < text.length(); from += PART) {
            String piece = text.substring(from, Math.min(text.length(), from + PART)).replace("\"", "\\\"");
            request(run, "result/part", "\"request\":" + id + ",\"part\":" + parts++ + ",\"total\":" + text.length()
                    + ",\"text\":\"" + piece + "\"").join();
        }
        respond(id, "{\"parts\":" + parts + "}");
    }

    private void state(String id, String run) {
        String tuple = result(request(run, "checkpoint/get", "\"ns\":\"\"").join());
        respond(id, "{\"values\":{},\"next\":[],\"found\":" + !tuple.equals("null") + "}");
    }

    private String sendLarge(String run, int size) {
        for (int from = 0; from < size; from += PART) {
            String piece = Base64.getEncoder().encodeToString(new byte[Math.min(PART, size - from)]);
            request(run, "blob/part",
                    "\"message\":1,\"total\":" + size + ",\"part\":0,\"size\":" + size + ",\"value\":{\"base64\":\""
                            + piece + "\"}")
                    .join();
        }
        return result(request(run, "checkpoint/put",
                put("[\"messages\",\"1\",\"bytes\",{\"part\":0,\"size\":" + size + "}]")).join());
    }

    private static String put(String blob) {
        return "\"ns\":\"\",\"id\":\"" + CHECKPOINT + "\",\"parent_id\":null,\"checkpoint\":[\"json\",\"{}\"],"
                + "\"metadata\":{\"step\":1},\"versions\":{\"messages\":\"1\"},\"blobs\":[" + blob + "]";
    }

    private static String writes(String task, String value) {
        return "\"ns\":\"\",\"id\":\"" + CHECKPOINT + "\",\"task\":\"" + task
                + "\",\"path\":\"\",\"writes\":[[0,\"c\",\"json\","
                + value + "]]";
    }

    private static String result(String response) {
        return response.substring(response.indexOf("\"result\":") + 9, response.length() - 1);
    }

    private static String error(String response) {
        Matcher code = Pattern.compile("\"code\":(-\\d+)").matcher(response);
        return code.find() ? code.group(1) : "null";
    }

    private CompletableFuture<String> request(String run, String method, String params) {
        CompletableFuture<String> response = new CompletableFuture<>();
        long id = requests.incrementAndGet();
        responses.put(id, response);
        write("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":{\"run\":\"" + run + "\","
                + params
                + "}}");
        return response;
    }

    private void respond(String id, String result) {
        write("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
    }

    private synchronized void write(String line) {
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
