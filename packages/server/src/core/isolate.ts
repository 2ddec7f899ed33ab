/**
 * A value inside a sentence of the other direction of writing: it keeps its own direction, and does not change the order of the
 * rest. Without it an Arabic line shows `+03:00 06:04 2026-01-05` backwards. The marks cannot be seen, but they are copied: an
 * address that somebody copies or that a mail program makes a link stands alone on its line instead. Pure.
 */
export const isolate = (text: string | number): string => `\u2068${text}\u2069`
