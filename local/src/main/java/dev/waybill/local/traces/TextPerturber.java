package dev.waybill.local.traces;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Replaces numbers and half of the longer words of recorded texts with others of the same length, consistently within a
 * round and differently in each round. Single digits, short words, member names and escapes remain, so structure and
 * length do not change.
 */
final class TextPerturber {

    private final long round;
    private final Vocabulary vocabulary;

    TextPerturber(long round, Vocabulary vocabulary) {
        this.round = round;
        this.vocabulary = vocabulary;
    }

    /** Returns the other JSON text of the same length. */
    byte[] apply(byte[] json) {
        ByteArrayOutputStream perturbed = new ByteArrayOutputStream(json.length);
        boolean inString = false;
        int at = 0;
        while (at < json.length) {
            int end;
            if (json[at] == '"') {
                int closing = inString ? at : closingQuote(json, at);
                boolean memberName = !inString && closing + 1 < json.length && json[closing + 1] == ':';
                end = memberName ? closing + 1 : at + 1;
                inString = !memberName && !inString;
                perturbed.write(json, at, end - at);
            } else {
                end = endOfToken(json, at);
                perturbed.writeBytes(replace(json, at, end, inString));
            }
            at = end;
        }
        return perturbed.toByteArray();
    }

    private byte[] replace(byte[] json, int from, int to, boolean inString) {
        byte[] token = Arrays.copyOfRange(json, from, to);
        if (isDigit(token[0]) && token.length > 1) {
            replaceDigits(token);
        } else if (inString && vocabulary.isWord(token)) {
            long choice = hash(token);
            // Replaces half of the words, which makes texts distinct and preserves their character.
            return (choice & 1) == 0 ? token : vocabulary.word(token.length, choice >>> 1);
        }
        return token;
    }

    private void replaceDigits(byte[] digits) {
        long state = hash(digits);
        boolean leadingZero = digits[0] == '0';
        for (int i = 0; i < digits.length; i++) {
            state = mix(state);
            // Keeps a leading zero and creates no other, which JSON does not allow.
            if (i > 0) {
                digits[i] = (byte) ('0' + Long.remainderUnsigned(state, 10));
            } else if (!leadingZero) {
                digits[i] = (byte) ('1' + Long.remainderUnsigned(state, 9));
            }
        }
    }

    private long hash(byte[] token) {
        long state = round;
        for (byte character : token) {
            state = mix(state + character);
        }
        return state;
    }

    /** Mixes all 64 bits of a number (the finalizer of SplitMix64). */
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

    private static int endOfToken(byte[] json, int start) {
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
