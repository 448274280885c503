package dev.waybill.experiment.json;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/**
 * The members of one kind of JSON object, as a table from name to reader. It reads objects into a target: skips unknown
 * members, treats null as absent and reports missing members. {@link JsonInput} reports values of the wrong type, {@link
 * JsonDocumentReader} rejects duplicate members.
 *
 * @param <T> the target
 */
public final class JsonMembers<T> {

    private final Map<String, Member<T>> members;
    private final List<String> required;

    private JsonMembers(Builder<T> table) {
        this.members = new HashMap<>(table.members);
        this.required = List.copyOf(table.required);
    }

    /** Begins a table. */
    public static <T> Builder<T> table() {
        return new Builder<>();
    }

    /** Reads the object at the input's position. */
    public void read(T target, JsonInput in) throws IOException {
        JsonParser json = in.parser();
        long given = 0;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            Member<T> member = members.get(json.currentName());
            if (json.nextToken() != JsonToken.VALUE_NULL && member != null) {
                given |= member.requiredBit;
                in.enter(member.name);
                member.reader.read(target, in);
            }
            // Also skips a value that the reader has not read.
            json.skipChildren();
        }
        // An invalid member is not reported as missing, too.
        for (int i = 0; i < required.size(); i++) {
            if ((given & 1L << i) == 0) {
                in.violations().missing(required.get(i));
            }
        }
    }

    /** Reads the object at the input's position; adds {@code rule} as a violation of this location for other types. */
    public void readObject(T target, JsonInput in, String rule) throws IOException {
        if (in.is(JsonToken.START_OBJECT)) {
            read(target, in);
        } else {
            in.wrongTypeHere(rule);
        }
    }

    /** Reads the value at the input's position as the member {@code name}, which the table contains. */
    public void readMember(T target, JsonInput in, String name) throws IOException {
        Member<T> member = members.get(name);
        if (member == null) {
            throw new IllegalArgumentException("the table has no member " + name);
        }
        if (!in.is(JsonToken.VALUE_NULL)) {
            in.enter(name);
            member.reader.read(target, in);
            in.parser().skipChildren();
        }
    }

    /** Reads the value of a member: the input is on the value's first token, and on the first or last token afterwards. */
    @FunctionalInterface
    public interface Reader<T> {

        /** Reads the value, which is not null. */
        void read(T target, JsonInput in) throws IOException;
    }

    /** Sets a member; the value is null if it was of the wrong type. */
    @FunctionalInterface
    public interface Setter<T, V> {

        /** Sets the member. */
        void set(T target, @Nullable V value);
    }

    private record Member<T>(String name, long requiredBit, Reader<T> reader) {
    }

    /** Builds a table. */
    public static final class Builder<T> {

        private final Map<String, Member<T>> members = new HashMap<>();
        private final List<String> required = new ArrayList<>();

        private Builder() {
        }

        /** Adds a string. */
        public Builder<T> text(String name, Setter<T, String> setter) {
            return member(name, (target, in) -> setter.set(target, in.text()));
        }

        /** Adds a UUID. */
        public Builder<T> id(String name, Setter<T, UUID> setter) {
            return member(name, (target, in) -> setter.set(target, in.id()));
        }

        /** Adds a timestamp as text. */
        public Builder<T> timestamp(String name, Setter<T, Instant> setter) {
            return member(name, (target, in) -> setter.set(target, in.timestamp()));
        }

        /** Adds a timestamp of a trace: text or milliseconds. */
        public Builder<T> time(String name, Setter<T, Instant> setter) {
            return member(name, (target, in) -> setter.set(target, in.time()));
        }

        /** Adds a number. */
        public Builder<T> number(String name, Setter<T, Double> setter) {
            return member(name, (target, in) -> setter.set(target, in.number()));
        }

        /** Adds a whole number from 0. */
        public Builder<T> count(String name, Setter<T, Long> setter) {
            return member(name, (target, in) -> setter.set(target, in.count()));
        }

        /** Adds a cost. */
        public Builder<T> cost(String name, Setter<T, BigDecimal> setter) {
            return member(name, (target, in) -> setter.set(target, in.cost()));
        }

        /** Adds an object that is stored unchanged; {@code rule} is the message for other types. */
        public Builder<T> object(String name, String rule, Setter<T, Bytes> setter) {
            return member(name, (target, in) -> setter.set(target, in.object(rule)));
        }

        /** Adds a member with a reader of its own. */
        public Builder<T> member(String name, Reader<T> reader) {
            int index = required.indexOf(name);
            members.put(name, new Member<>(name, index < 0 ? 0 : 1L << index, reader));
            return this;
        }

        /** Requires members, in the order in which they are reported; the table defines them afterwards. */
        public Builder<T> required(String... names) {
            required.addAll(List.of(names));
            return this;
        }

        /** Returns the table. */
        public JsonMembers<T> build() {
            return new JsonMembers<>(this);
        }
    }
}
