package dev.waybill.local.traces;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Lower-case words of the traces by length. */
public final class Vocabulary {

    private static final int MIN_LENGTH = 5;
    private static final int MAX_LENGTH = 12;
    private static final Pattern WORD = Pattern
            .compile("(?<![A-Za-z\\\\])[a-z]{" + MIN_LENGTH + "," + MAX_LENGTH + "}(?![A-Za-z])");

    private final List<List<byte[]>> byLength = new ArrayList<>();

    private Vocabulary() {
        for (int length = 0; length <= MAX_LENGTH; length++) {
            byLength.add(new ArrayList<>());
        }
    }

    static Vocabulary of(Stream<SampleRun> runs) {
        TreeSet<String> words = new TreeSet<>();
        runs.flatMap(run -> Stream.of(run.inputs(), run.outputs()))
                .flatMap(text -> WORD.matcher(new String(text, StandardCharsets.UTF_8)).results().map(MatchResult::group))
                .forEach(words::add);
        Vocabulary vocabulary = new Vocabulary();
        words.forEach(word -> vocabulary.byLength.get(word.length()).add(word.getBytes(StandardCharsets.US_ASCII)));
        return vocabulary;
    }

    boolean isWord(byte[] token) {
        if (token.length < MIN_LENGTH || token.length > MAX_LENGTH) {
            return false;
        }
        for (byte character : token) {
            if (character < 'a' || character > 'z') {
                return false;
            }
        }
        return true;
    }

    byte[] word(int length, long choice) {
        List<byte[]> words = byLength.get(length);
        return words.get((int) Long.remainderUnsigned(choice, words.size()));
    }

    /** Returns whether a byte belongs to a letter; includes non-ASCII letters, so that words are not split. */
    static boolean isLetter(byte character) {
        return character < 0 || character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z';
    }
}
