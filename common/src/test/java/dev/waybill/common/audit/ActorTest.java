package dev.waybill.common.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActorTest {

    private static final UUID ORGANIZATION = UUID.randomUUID();

    @Test
    void tokenIsIdentifiedByItsSubject() {
        assertThat(Actor.token("auth0|someone@example.com", ORGANIZATION, null).id()).isEqualTo("auth0|someone@example.com");
    }

    @ParameterizedTest
    @ValueSource(strings = { "two words", "line\nbreak", "", "actor=operator" })
    void omitsSubjectThatCouldForgeALine(String subject) {
        assertThat(Actor.token(subject, ORGANIZATION, null).id()).isNull();
    }
}
