package dev.waybill.local.bench;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Tells a real text anew for one round: other numbers and some other words of the same lengths, the same throughout the round,
 * so that a conversation stays one and no round's texts are another's. Numbers of a single digit (model versions, lists),
 * short words, the names of members and escapes stay as they are, so structure and length do.
 */
final class TextPerturber {

    private final long round;
    private final Vocabulary vocabulary;

    TextPerturber(long round, Vocabulary vocabulary) {
        this.round = round;
        this.vocabulary = vocabulary;
    }

    /** @return other JSON text of the same length */
    byte[] apply(byte[] json) {
        ByteArrayOutputStream told = new ByteArrayOutputStream(json.length);
        boolean inString = false;
        int at = 0;
        while (at < json.length) {
            int end;
            if (json[at] == '"') {
                int closing = inString ? at : closingQuote(json, at);
                boolean memberName = !inString && closing + 1 < json.length && json[closing + 1] == ':';
                end = memberName ? closing + 1 : at + 1;
                inString = !memberName && !inString;
                told.write(json, at, end - at);
            } else {
                end = endOfPiece(json, at);
                told.writeBytes(tell(json, at, end, inString));
            }
            at = end;
        }
        return told.toByteArray();
    }

    private byte[] tell(byte[] json, int from, int to, boolean inString) {
        byte[] piece = Arrays.copyOfRange(json, from, to);
        if (isDigit(piece[0]) && piece.length > 1) {
            otherDigits(piece);
        } else if (inString && vocabulary.isWord(piece)) {
            long choice = hash(piece);
            // Half of the words are enough to tell two texts apart, and the other half keeps them what they are.
            return (choice & 1) == 0 ? piece : vocabulary.word(piece.length, choice >>> 1);
        }
        return piece;
    }

    private void otherDigits(byte[] digits) {
        long state = hash(digits);
        boolean leadingZero = digits[0] == '0';
        for (int i = 0; i < digits.length; i++) {
            state = mix(state);
            // A leading zero stays, and no other comes to be: JSON does not allow one.
            if (i > 0) {
                digits[i] = (byte) ('0' + Long.remainderUnsigned(state, 10));
            } else if (!leadingZero) {
                digits[i] = (byte) ('1' + Long.remainderUnsigned(state, 9));
            }
        }
    }

    private long hash(byte[] piece) {
        long state = round;
        for (byte character : piece) {
            state = mix(state + character);
        }
        return state;
    }

    /** Spreads a number over all 64 bits (the finalizer of SplitMix64). */
    static long mix(long value) {
        long mixed = value + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    private static int closingQuote(byte[] json, int opening) {
        int at = opening + 1;
        while (json[at] != '"') {
            at += json[at] == '\\' ? 2 : 1;
        }
        return at;
    }

    private static int endOfPiece(byte[] json, int start) {
        if (json[start] == '\\') {
            return start + (json[start + 1] == 'u' ? 6 : 2);
        }
        int end = start + 1;
        if (isDigit(json[start])) {
            while (end < json.length && isDigit(json[end])) {
                end++;
            }
        } else if (Vocabulary.isLetter(json[start])) {
            while (end < json.length && Vocabulary.isLetter(json[end])) {
                end++;
            }
        }
        return end;
    }

    private static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }
}
