package dev.waybill.controlplane.source;

import java.util.List;
import java.util.regex.Pattern;

import org.eclipse.jgit.lib.Repository;

/** The name of a commit: a branch, {@code refs/...}, a tag or a full commit id. Never begins with a hyphen. */
public record RefName(String text) {

    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");
    private static final Pattern ABBREVIATED = Pattern.compile("[0-9a-f]{7,39}");
    private static final int MAX_LENGTH = 255;

    /** @throws SourceException if the text is not a valid ref name */
    public static RefName parse(String text) {
        boolean good = text.length() <= MAX_LENGTH && !text.startsWith("-")
                && (text.equals("HEAD") || Repository.isValidRefName(text.startsWith("refs/") ? text : "refs/heads/" + text));
        if (!good) {
            throw new SourceException(SourceException.Kind.REF_NOT_FOUND, "\"" + shown(text)
                    + "\" is not a valid name of a branch or tag; use a branch, a tag, or a full commit id of 40 characters.");
        }
        return new RefName(text);
    }

    public boolean isCommit() {
        return COMMIT.matcher(text).matches();
    }

    /** Returns the full ref names that the text can mean, in order of precedence. */
    public List<String> candidates() {
        if (text.equals("HEAD") || text.startsWith("refs/")) {
            return List.of(text);
        }
        return List.of("refs/heads/" + text, "refs/tags/" + text);
    }

    public SourceException notFound() {
        return new SourceException(SourceException.Kind.REF_NOT_FOUND, "The repository has no branch or tag \"" + text + "\""
                + (ABBREVIATED.matcher(text).matches() ? "; use the full commit id of 40 characters." : "; check its name."));
    }

    private static String shown(String text) {
        String visible = text.replaceAll("\\p{Cntrl}", "?");
        return visible.length() <= 100 ? visible : visible.substring(0, 100) + "…";
    }
}
