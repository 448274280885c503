package dev.waybill.export.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** RFC 8785. */
class CanonicalJsonTest {

    @Test
    void membersAreSortedWithoutWhitespace() {
        TreeMap<String, @Nullable Object> members = new TreeMap<>();
        members.put("rows", 9_007_199_254_740_991L);
        members.put("bucket", "acme");
        members.put("filter", null);
        members.put("listed", true);

        assertThat(CanonicalJson.write(members))
                .isEqualTo("{\"bucket\":\"acme\",\"filter\":null,\"listed\":true,\"rows\":9007199254740991}");
    }

    @Test
    void textsAreEscapedAsTheStandardDefines() {
        TreeMap<String, @Nullable Object> members = new TreeMap<>();
        members.put("a", "\u20ac$\u000f\nA'B\"\\\"/\b\t\f\r\u007f");

        assertThat(CanonicalJson.write(members))
                .isEqualTo("{\"a\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\"/\\b\\t\\f\\r\u007f\"}");
    }
}
