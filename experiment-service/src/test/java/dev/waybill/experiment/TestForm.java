package dev.waybill.experiment;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Multipart body in the format of tracing clients: without file names, with lengths as a parameter of the media type.
 */
public final class TestForm {

    public static final String BOUNDARY = "----LangSmithFormBoundary0zodier2pswq";
    public static final String TYPE = "multipart/form-data; boundary=" + BOUNDARY;
    private static final List<String> SEPARATE_MEMBERS = List.of("inputs", "outputs", "events", "extra", "error", "serialized");

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    public static TestForm of(TestRun... posts) {
        TestForm form = new TestForm();
        for (TestRun post : posts) {
            form.run("post", post);
        }
        return form;
    }

    public TestForm patch(TestRun patch) {
        return run("patch", patch);
    }

    private TestForm run(String event, TestRun run) {
        Map<String, Object> remaining = new LinkedHashMap<>(run.members());
        remaining.keySet().removeAll(SEPARATE_MEMBERS);
        part(event + "." + run.id(), TestRun.json(remaining));
        SEPARATE_MEMBERS.stream().filter(run.members()::containsKey)
                .forEach(member -> part(event + "." + run.id() + "." + member, TestRun.json(run.get(member))));
        return this;
    }

    public TestForm part(String name, String json) {
        return part(name, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    public TestForm part(String name, String type, byte[] content) {
        write("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\nContent-Type: " + type
                + "; length=" + content.length + "\r\n\r\n");
        body.writeBytes(content);
        write("\r\n");
        return this;
    }

    public byte[] bytes() {
        ByteArrayOutputStream complete = new ByteArrayOutputStream();
        complete.writeBytes(body.toByteArray());
        try {
            complete.write(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return complete.toByteArray();
    }

    private void write(String text) {
        body.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
