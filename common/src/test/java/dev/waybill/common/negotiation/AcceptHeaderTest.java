package dev.waybill.common.negotiation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

import jakarta.ws.rs.core.MediaType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.problem.ProblemException;

class AcceptHeaderTest {

    private static final MediaType CSV = new MediaType("text", "csv");

    @ParameterizedTest
    @ValueSource(strings = { "*/*", "application/*", "application/json", "text/html, application/json;q=0.1",
            "APPLICATION/JSON ; charset=\"utf-8, x\"", "*;q=.2", "text/html;level=1;q=1.000, */*;q=0.8", "a/b,,,*/*",
            "application/json;;", "application/json;q=0.30000000000000004" })
    void includesJson(String header) {
        assertThat(AcceptHeader.parse(List.of(header)).includes(MediaType.APPLICATION_JSON_TYPE)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = { "text/html", "application/json;q=0", "*/*, application/*;q=0", "*/*;q=0", "application/jsonx",
            "application/json;Q=0.000, */*" })
    void excludesJson(String header) {
        assertThat(AcceptHeader.parse(List.of(header)).includes(MediaType.APPLICATION_JSON_TYPE)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = { "", " ", ",", "json", "a/", "/b", "a/b c/d", "*/b", "a/b;q", "a/b;q=", "a/b;q=1.1", "a/b;q=-1",
            "a/b;x=\"y", "a/b;x=\"y\\\"", "a b/c", "a/b;=c", "a/b;q=0x1", "a/b;q=NaN", "a/b;q=1e0", "\u00e9/b" })
    void rejectsMalformedHeaders(String header) {
        assertThatThrownBy(() -> AcceptHeader.parse(List.of(header))).isInstanceOf(ProblemException.class)
                .hasMessageContaining("Accept");
    }

    @Test
    void combinesSeveralHeaders() {
        assertThat(AcceptHeader.parse(List.of("text/html", "application/json")).includes(MediaType.APPLICATION_JSON_TYPE))
                .isTrue();
        assertThat(AcceptHeader.parse(List.of()).includes(MediaType.APPLICATION_JSON_TYPE)).isTrue();
    }

    @Test
    void prefersTheTypeWithTheHigherWeight() {
        assertThat(prefersCsv("text/csv")).isTrue();
        assertThat(prefersCsv("text/csv, */*")).isTrue();
        assertThat(prefersCsv("text/csv, application/json")).isTrue();
        assertThat(prefersCsv("application/json, text/csv")).isFalse();
        assertThat(prefersCsv("application/json;q=0.5, text/csv;q=0.6")).isTrue();
        assertThat(prefersCsv("text/*")).isFalse();
        assertThat(prefersCsv("text/csv;q=0")).isFalse();
        assertThat(prefersCsv("*/*")).isFalse();
    }

    private static boolean prefersCsv(String header) {
        return AcceptHeader.parse(List.of(header)).prefers(CSV, MediaType.APPLICATION_JSON_TYPE);
    }
}
