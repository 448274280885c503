package dev.waybill.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.Test;

class RunsMultipartTest {

    @Test
    void largeFieldsAreSeparatePartsWithExactNumbers() throws IOException {
        // Given
        RunsMultipart batch = new RunsMultipart();

        // When
        batch.post(WireJson
                .read("{\"id\": \"a\", \"name\": \"n\", \"inputs\": {\"x\": 1.10000000000000000000001}, \"outputs\": null}")
                .orElseThrow());

        // Then
        String body = new String(new GZIPInputStream(new ByteArrayInputStream(batch.parts().toGzip())).readAllBytes(),
                StandardCharsets.UTF_8);
        String boundary = batch.parts().contentType().replaceFirst(".*boundary=", "");
        assertThat(body).isEqualTo(String.join("\r\n",
                "--" + boundary,
                "Content-Disposition: form-data; name=\"post.a\"",
                "Content-Type: application/json; length=21",
                "",
                "{\"id\":\"a\",\"name\":\"n\"}",
                "--" + boundary,
                "Content-Disposition: form-data; name=\"post.a.inputs\"",
                "Content-Type: application/json; length=31",
                "",
                "{\"x\":1.10000000000000000000001}",
                "--" + boundary + "--",
                ""));
        assertThat(batch.runs()).isOne();
    }
}
