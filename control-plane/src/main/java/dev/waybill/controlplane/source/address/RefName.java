package dev.waybill.controlplane.source.address;

import java.util.List;
import java.util.regex.Pattern;

import org.eclipse.jgit.lib.Repository;

import dev.waybill.controlplane.source.SourceException;

/** What a user calls a commit: a branch, {@code refs/...}, a tag or a whole commit id. Nothing of it is ever an option. */
public record RefName(String text) {

    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");
    private static final Pattern ABBREVIATED = Pattern.compile("[0-9a-f]{7,39}");
    private static final int LONGEST = 255;

    /** @throws SourceException when git has no such names */
    public static RefName parse(String text) {
        boolean good = text.length() <= LONGEST && !text.startsWith("-")
                && (text.equals("HEAD") || Repository.isValidRefName(text.startsWith("refs/") ? text : "refs/heads/" + text));
        if (!good) {
            throw new SourceException(SourceException.Kind.REF_NOT_FOUND, "\"" + shown(text)
                    + "\" cannot be the name of a branch or tag; give a branch, a tag, or all 40 characters of a commit's id.");
        }
        return new RefName(text);
    }

    public boolean isCommit() {
        return COMMIT.matcher(text).matches();
    }

    /** The full names it may mean; the first that is there wins. */
    public List<String> candidates() {
        if (text.equals("HEAD") || text.startsWith("refs/")) {
            return List.of(text);
        }
        return List.of("refs/heads/" + text, "refs/tags/" + text);
    }

    public SourceException notFound() {
        return new SourceException(SourceException.Kind.REF_NOT_FOUND, "The repository has no branch or tag \"" + text + "\""
                + (ABBREVIATED.matcher(text).matches() ? "; of a commit's id give all 40 characters." : "; check its name."));
    }

    private static String shown(String text) {
        String visible = text.replaceAll("\\p{Cntrl}", "?");
        return visible.length() <= 100 ? visible : visible.substring(0, 100) + "…";
    }
}
