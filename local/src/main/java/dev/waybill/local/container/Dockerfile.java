package dev.waybill.local.container;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Json;

/** A Dockerfile's stages with their instructions, as far as ours use the language. */
public record Dockerfile(String name, List<Stage> stages) {

    /** One line of it. */
    public record Instruction(String word, String text) {

        /** Of {@code ["...", "..."]}. */
        public List<String> words() {
            JsonNode list = Json.parse(text);
            return list.valueStream().map(JsonNode::asText).toList();
        }
    }

    /** What is between two {@code FROM}. */
    public record Stage(String from, List<Instruction> instructions) {

        /** Without {@code AS}. */
        public String image() {
            return from.split(" ")[0];
        }

        boolean isCalled(String name) {
            return from.endsWith(" AS " + name);
        }

        public Stream<Instruction> all(String word) {
            return instructions.stream().filter(instruction -> instruction.word().equals(word));
        }

        public Optional<Instruction> last(String word) {
            return all(word).reduce((_, later) -> later);
        }
    }

    /** Reads one of {@code containers/}. */
    public static Dockerfile read(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Stage> stages = new ArrayList<>();
        text.replaceAll("(?m)^#.*\n", "").replaceAll("\\\\\n *", "").lines().filter(line -> !line.isBlank()).forEach(line -> {
            String word = line.substring(0, line.indexOf(' '));
            String rest = line.substring(word.length()).strip();
            if (word.equals("FROM")) {
                stages.add(new Stage(rest, new ArrayList<>()));
            } else {
                stages.getLast().instructions().add(new Instruction(word, rest));
            }
        });
        return new Dockerfile(file.getFileName().toString(), stages);
    }

    /** The image that comes of it. */
    public Stage image() {
        return stages.getLast();
    }

    Stage stage(String name) {
        return stages.stream().filter(stage -> stage.isCalled(name)).findAny()
                .orElseThrow(() -> new IllegalStateException(this.name + " has no stage " + name));
    }

    /** The image's entry point and command, as a container starts it. */
    public List<String> command() {
        List<String> words = new ArrayList<>(image().last("ENTRYPOINT").orElseThrow().words());
        words.addAll(image().last("CMD").orElseThrow().words());
        return words;
    }

    @Override
    public String toString() {
        return name;
    }
}
