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

/** The stages and instructions of a Dockerfile. Supports only the syntax that the project's files use. */
public record Dockerfile(String name, List<Stage> stages) {

    /** An instruction. */
    public record Instruction(String keyword, String text) {

        /** Parses the JSON form {@code ["...", "..."]}. */
        public List<String> arguments() {
            JsonNode list = Json.parse(text);
            return list.valueStream().map(JsonNode::asText).toList();
        }
    }

    /** A stage: a {@code FROM} and its instructions. */
    public record Stage(String from, List<Instruction> instructions) {

        /** Returns the base image without {@code AS}. */
        public String image() {
            return from.split(" ")[0];
        }

        boolean hasName(String name) {
            return from.endsWith(" AS " + name);
        }

        public Stream<Instruction> all(String keyword) {
            return instructions.stream().filter(instruction -> instruction.keyword().equals(keyword));
        }

        public Optional<Instruction> last(String keyword) {
            return all(keyword).reduce((_, later) -> later);
        }
    }

    /** Parses a Dockerfile. */
    public static Dockerfile read(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Stage> stages = new ArrayList<>();
        text.replaceAll("(?m)^#.*\n", "").replaceAll("\\\\\n *", "").lines().filter(line -> !line.isBlank()).forEach(line -> {
            String keyword = line.substring(0, line.indexOf(' '));
            String rest = line.substring(keyword.length()).strip();
            if (keyword.equals("FROM")) {
                stages.add(new Stage(rest, new ArrayList<>()));
            } else {
                stages.getLast().instructions().add(new Instruction(keyword, rest));
            }
        });
        return new Dockerfile(file.getFileName().toString(), stages);
    }

    /** Returns the last stage. */
    public Stage image() {
        return stages.getLast();
    }

    Stage stage(String name) {
        return stages.stream().filter(stage -> stage.hasName(name)).findAny()
                .orElseThrow(() -> new IllegalStateException(this.name + " has no stage " + name));
    }

    /** Returns the entry point and the command. */
    public List<String> command() {
        List<String> arguments = new ArrayList<>(image().last("ENTRYPOINT").orElseThrow().arguments());
        arguments.addAll(image().last("CMD").orElseThrow().arguments());
        return arguments;
    }

    @Override
    public String toString() {
        return name;
    }
}
