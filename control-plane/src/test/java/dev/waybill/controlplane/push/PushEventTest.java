package dev.waybill.controlplane.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.core.JsonFactory;

import dev.waybill.common.problem.ProblemException;

class PushEventTest {

    @Test
    void relevantMembersAreParsedAmongOthers() {
        // When
        PushEvent event = parse("""
                {"before": [{"repository": {"url": "no"}}], "sender": {"ref": "no", "deleted": true}, "ref": "refs/heads/main",
                 "repository": {"id": 7, "owner": {"url": "no", "html_url": "no"}, "clone_url": "https://a/b.git",
                   "html_url": "https://a/b", "ssh_url": null, "url": "https://a/b"},
                 "installation": {"id": 42, "node": {"id": 1}}, "deleted": false, "ünï": "x"}""");

        // Then
        assertThat(event.addresses()).containsExactly("https://a/b.git", "https://a/b");
        assertThat(event.installationId()).isEqualTo(42);
        assertThat(event.ref()).isEqualTo("refs/heads/main");
        assertThat(event.deleted()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = { "{}",
            "{\"repository\": null, \"organization\": {\"url\": \"https://api.github.com/orgs/x\"}}",
            "{\"repository\": \"https://a/b\"}", "{\"repository\": [{\"url\": \"https://a/b\"}]}",
            "{\"repository\": {\"url\": {\"url\": \"https://a/b\"}}}",
            "{\"repository\": 1, \"repository.url\": \"https://a/b\"}", "{\"repository\": {\"url\": [\"https://a/b\"]}}" })
    void membersOfOtherTypesAreIgnored(String body) {
        assertThat(parse(body)).isEqualTo(new PushEvent(List.of(), -1, "", false));
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "[]", "{", "{} {}", "{}x", "null", "1", "{\"a\": nope}" })
    void bodyThatIsNoObjectIsMalformed(String body) {
        assertThatThrownBy(() -> parse(body)).isInstanceOf(ProblemException.class)
                .hasMessage("The body is not a well-formed JSON object.");
    }

    private static PushEvent parse(String body) {
        return PushEvent.parse(body.getBytes(StandardCharsets.UTF_8), new JsonFactory());
    }
}
