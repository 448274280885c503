const PIECE = 50_000;

/** The pieces of a text, without pairs of surrogates that are apart. */
export function pieces(text: string, size = PIECE): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + size;
    const isPair = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '');
    found.push(text.slice(start, isPair ? end + 1 : end));
    start += found.at(-1)!.length;
  }
  return found;
}

/** A text of any length. Browsers do not break words of some million characters, so the text can be broken between its pieces. */
export function LongText({ text }: { text: string }) {
  return (
    <bdi>
      {pieces(text).map((piece, index) => (
        <>
          {index > 0 && <wbr />}
          {piece}
        </>
      ))}
    </bdi>
  );
}
