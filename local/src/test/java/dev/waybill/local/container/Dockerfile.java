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
record Dockerfile(String name, List<Stage> stages) {

    record Instruction(String word, String text) {

        /** Of {@code ["...", "..."]}. */
        List<String> words() {
            JsonNode list = Json.parse(text);
            return list.valueStream().map(JsonNode::asText).toList();
        }
    }

    record Stage(String from, List<Instruction> instructions) {

        /** Without {@code AS}. */
        String image() {
            return from.split(" ")[0];
        }

        boolean isCalled(String name) {
            return from.endsWith(" AS " + name);
        }

        Stream<Instruction> all(String word) {
            return instructions.stream().filter(instruction -> instruction.word().equals(word));
        }

        Optional<Instruction> last(String word) {
            return all(word).reduce((_, later) -> later);
        }
    }

    static Dockerfile read(Path file) {
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
    Stage image() {
        return stages.getLast();
    }

    Stage stage(String name) {
        return stages.stream().filter(stage -> stage.isCalled(name)).findAny()
                .orElseThrow(() -> new IllegalStateException(this.name + " has no stage " + name));
    }

    @Override
    public String toString() {
        return name;
    }
}
