package dev.waybill.experiment.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.problem.ProblemException;

class MultipartParserTest {

    private static final String TYPE = "multipart/form-data; boundary=xyz";

    @Test
    void splitsPartsAtTheBoundary() {
        // When
        List<MultipartParser.Part> parts = parse(TYPE,
                "preamble\r\n--xyz\r\nContent-Disposition: form-data; name=\"a.b\"; filename=\"blob\"\r\n"
                        + "content-type: application/json; charset=utf-8\r\nX-Other: 1\r\n\r\n{}\r\n--xy\r\n--xyz\r\n"
                        + "Content-Disposition: form-data; name=second\r\n\r\n\r\n--xyz--\r\nepilogue");

        // Then
        assertThat(parts).extracting(MultipartParser.Part::name).containsExactly("a.b", "second");
        assertThat(parts).extracting(MultipartParser.Part::contentType).containsExactly("application/json", null);
        assertThat(parts).extracting(part -> part.content().toString()).containsExactly("{}\r\n--xy", "");
    }

    @Test
    void correctLengthTakesPrecedenceOverABoundary() {
        // Given
        String content = "a\r\n--xyz\r\nb";

        // When
        List<MultipartParser.Part> parts = parse(TYPE,
                "--xyz\r\nContent-Disposition: form-data; name=\"n\"\r\nContent-Type: text/plain; length="
                        + content.length() + "\r\n\r\n" + content + "\r\n--xyz--");

        // Then
        assertThat(parts).extracting(part -> part.content().toString()).containsExactly(content);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            // Headers of JavaScript and Python clients and browsers, and other valid spellings.
            "Content-Disposition: form-data; name=\"attachment.1.chart\"\r\nContent-Type: image/png; length=8",
            "Content-Disposition: form-data; name=\"attachment.1.chart\"\r\nContent-Type: image/png\r\nContent-Length: 8",
            "Content-Disposition: form-data; name=\"attachment.1.chart\"; filename=\"a;b.png\"\r\nContent-Type: image/png;length=8",
            "content-length: 8\r\ncontent-type: image/png; length=\"8\"\r\n"
                    + "content-disposition: form-data; filename*=UTF-8''c.png; name=attachment.1.chart",
            "CONTENT-TYPE:image/png;charset=binary; LENGTH=8\r\nX-More: 1\r\nContent-Disposition:form-data;name=attachment.1.chart" })
    void parsesHeadersInAllSpellings(String headers) {
        // Given
        String content = "a\r\n--xyz";

        // When
        List<MultipartParser.Part> parts = parse(TYPE, "--xyz\r\n" + headers + "\r\n\r\n" + content + "\r\n--xyz--");

        // Then
        assertThat(parts).singleElement().satisfies(part -> {
            assertThat(part.name()).isEqualTo("attachment.1.chart");
            assertThat(part.contentType()).isEqualTo("image/png");
            assertThat(part.content()).hasToString(content);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = { "multipart/form-data; boundary=\"x y\\\"z\"",
            "Multipart/Form-Data; charset=utf-8; Boundary=\"x y\\\"z\"" })
    void parsesQuotedBoundaries(String type) {
        assertThat(parse(type, "--x y\"z--\r\n")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "--xyz", "--xyz\r\n", "--xyz\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\nno end",
            "--xyz\r\nContent-Disposition: form-data\r\n\r\n\r\n--xyz--",
            "--xyz\nContent-Disposition: form-data; name=n\n\n\n--xyz--",
            "--xyz\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n\r\n--xyzz--" })
    void returns400ForMalformedBodies(String body) {
        assertThatThrownBy(() -> parse(TYPE, body)).isInstanceOf(ProblemException.class).hasMessageContaining("malformed");
    }

    @ParameterizedTest
    @ValueSource(strings = { "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"" })
    void returns400WithoutABoundary(String type) {
        assertThatThrownBy(() -> parse(type, "--xyz--")).isInstanceOf(ProblemException.class);
    }

    private static List<MultipartParser.Part> parse(String type, String body) {
        AdmissionControl.Permit permit = new AdmissionControl(new AdmissionControl.Limits(1, 1, 1 << 20, 1 << 20))
                .admit(new UUID(0, 1), 0);
        Body parsed = new Body(permit, type, 1 << 20, () -> new ProblemException(
                dev.waybill.common.problem.CommonProblem.TOO_LARGE, ""));
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        parsed.append(content, content.length);
        return MultipartParser.parse(parsed);
    }
}
