package dev.waybill.local.bench;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The longer words of the traces in lower case, by their length. */
final class Vocabulary {

    private static final int SHORTEST = 5;
    private static final int LONGEST = 12;
    private static final Pattern WORD = Pattern.compile("(?<![A-Za-z\\\\])[a-z]{" + SHORTEST + "," + LONGEST + "}(?![A-Za-z])");

    private final List<List<byte[]>> byLength = new ArrayList<>();

    private Vocabulary() {
        for (int length = 0; length <= LONGEST; length++) {
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

    boolean isWord(byte[] piece) {
        if (piece.length < SHORTEST || piece.length > LONGEST) {
            return false;
        }
        for (byte character : piece) {
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

    /** Letters beyond ASCII count as well, so that no word is cut at one. */
    static boolean isLetter(byte character) {
        return character < 0 || character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z';
    }
}
