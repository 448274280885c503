package dev.waybill.experiment;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A multipart body as tracing clients write it: no file names, lengths as a parameter of the type. */
public final class TestForm {

    public static final String BOUNDARY = "----LangSmithFormBoundary0zodier2pswq";
    public static final String TYPE = "multipart/form-data; boundary=" + BOUNDARY;
    private static final List<String> APART = List.of("inputs", "outputs", "events", "extra", "error", "serialized");

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
        Map<String, Object> rest = new LinkedHashMap<>(run.members());
        rest.keySet().removeAll(APART);
        part(event + "." + run.id(), TestRun.json(rest));
        APART.stream().filter(run.members()::containsKey)
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
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(body.toByteArray());
        try {
            whole.write(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return whole.toByteArray();
    }

    private void write(String text) {
        body.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
