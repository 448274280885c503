package dev.waybill.common.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Requests that violate RFC 9112, by name. Each is followed by another request on the same connection, which must not get a
 * response.
 */
final class InvalidRequests {

    private InvalidRequests() {
    }

    /** Returns invalid request heads. */
    static Map<String, String> heads(String host, String hidden) {
        Map<String, String> heads = new TreeMap<>();
        headers().forEach((name, lines) -> heads.put(name,
                "POST /anything HTTP/1.1\r\nHost: " + host + "\r\n" + lines + "\r\n\r\n5\r\nhello\r\n0\r\n\r\n" + hidden));
        requestLines().forEach((name, line) -> heads.put(name, line + "\r\nHost: " + host + "\r\n\r\n" + hidden));
        heads.put("Transfer-Encoding in HTTP/1.0", "POST /anything HTTP/1.0\r\nHost: " + host
                + "\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden);
        for (String version : List.of("HTTP/1.0", "HTTP/1.1")) {
            heads.put("empty Host in " + version, "GET /anything " + version + "\r\nHost: \r\nX-A: b\r\n\r\n" + hidden);
        }
        heads.put("no Host", "GET /anything HTTP/1.1\r\nX-A: b\r\n\r\n" + hidden);
        heads.put("first header folded", "GET /anything HTTP/1.1\r\n Host: " + host + "\r\n\r\n" + hidden);
        heads.put("bare LF ends the request line", "GET /anything HTTP/1.1\nHost: " + host + "\r\n\r\n" + hidden);
        heads.put("bare LF ends a header", "GET /anything HTTP/1.1\r\nHost: " + host + "\nX-A: b\r\n\r\n" + hidden);
        heads.put("bare LF ends the head", "GET /anything HTTP/1.1\r\nHost: " + host + "\r\n\n" + hidden);
        return heads;
    }

    private static Map<String, String> headers() {
        Map<String, String> lines = new TreeMap<>();
        lines.put("Content-Length and Transfer-Encoding", "Content-Length: 5\r\nTransfer-Encoding: chunked");
        lines.put("Transfer-Encoding and Content-Length", "Transfer-Encoding: chunked\r\nContent-Length: 5");
        for (String coding : List.of("chunked, identity", "identity, chunked", "chunked, chunked", "xchunked", "gzip, chunked",
                "identity", "chunked,", "\"chunked\"", "chunked;q=1", "\u000bchunked", "chun\u0000ked", "")) {
            lines.put("Transfer-Encoding: " + printable(coding), "Transfer-Encoding: " + coding);
        }
        for (String length : List.of("-1", "+1", "0x1", "", "1e3", "1 1", "5, 5", "5, 6", "99999999999999999999", "5.0",
                "\u0665")) {
            lines.put("Content-Length: " + printable(length), "Content-Length: " + length);
        }
        lines.put("two Transfer-Encodings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked");
        lines.put("two different Content-Lengths", "Content-Length: 0\r\nContent-Length: 5");
        lines.put("two equal Content-Lengths", "Content-Length: 5\r\nContent-Length: 5");
        lines.put("space before the colon of Content-Length", "Content-Length : 5");
        lines.put("space before the colon of Transfer-Encoding", "Transfer-Encoding : chunked");
        lines.put("tab before a colon", "X-A\t: b");
        lines.put("folded Transfer-Encoding", "Transfer-Encoding:\r\n chunked");
        lines.put("folded header", "X-A: b\r\n\tc");
        lines.put("bare CR in a value", "X-A: b\rTransfer-Encoding: chunked");
        lines.put("NUL in a value", "X-A: b\u0000c");
        lines.put("NUL in a name", "X-\u0000A: b");
        lines.put("DEL in a value", "X-A: b\u007fc");
        lines.put("no colon", "X-A");
        lines.put("empty name", ": b");
        lines.put("two Hosts", "Host: other.example");
        return lines;
    }

    private static Map<String, String> requestLines() {
        return Map.of(
                "tab in the request line", "GET\t/anything HTTP/1.1",
                "two spaces in the request line", "GET  /anything HTTP/1.1",
                "space in the address", "GET /any thing HTTP/1.1",
                "CR in the request line", "GET\r/anything HTTP/1.1",
                "NUL in the address", "GET /any\u0000thing HTTP/1.1",
                "space before the method", " GET /anything HTTP/1.1",
                "no version", "GET /anything",
                "version 1.2", "GET /anything HTTP/1.2",
                "version 2.0", "GET /anything HTTP/2.0",
                "no method", "/anything HTTP/1.1");
    }

    /** Returns invalid chunked bodies. */
    static Map<String, String> bodies() {
        Map<String, String> bodies = new TreeMap<>();
        for (String size : List.of("10000000000000001", "0x1", "-1", "+1", "", "g", " 1", "1 ", "1;a\rb",
                "1;a=\"\r\nX\r\n0\r\n\r\n",
                "1;a=\"b", "1;\u0000", "1;a\nb", "\u00b9", "7fffffff8", "1,1", "1\t1")) {
            bodies.put("chunk size " + printable(size), size + "\r\n{\r\n0\r\n\r\n");
        }
        bodies.put("bare LF after the chunk size", "1\n{\r\n0\r\n\r\n");
        bodies.put("bare LF after the chunk", "1\r\n{\n0\r\n\r\n");
        bodies.put("chunk longer than its size", "1\r\n{}\r\n0\r\n\r\n");
        bodies.put("trailer without a colon", "1\r\n{\r\n0\r\nX-A\r\n\r\n");
        bodies.put("bare LF ends the trailer", "1\r\n{\r\n0\r\nX-A: b\n\r\n");
        return bodies;
    }

    /** Returns valid chunked bodies. */
    static List<String> validBodies() {
        List<String> bodies = new ArrayList<>();
        for (String size : List.of("2", "02", "2;a", "2;a=b", "2;a=\"b c\"", "2 ;a=b")) {
            bodies.add(size + "\r\n{}\r\n0\r\n\r\n");
        }
        bodies.add("1\r\n{\r\n1;x=y\r\n}\r\n0\r\nX-Trailer: a\r\n\r\n");
        return bodies;
    }

    private static String printable(String text) {
        StringBuilder printable = new StringBuilder("'");
        text.chars().forEach(character -> printable.append(character < ' ' || character > '~'
                ? "\\x" + Integer.toHexString(character)
                : String.valueOf((char) character)));
        return printable.append('\'').toString();
    }
}
