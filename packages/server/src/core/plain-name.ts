/**
 * Names that users choose for accounts, shops and themselves. Others read them in emails and on pages, so a name is one line,
 * contains no link, and does not reverse the text around it. Pure.
 */

/** Control characters and line breaks; the two marks that override the direction of a text. */
const notOneLine = /[\p{Cc}\p{Zl}\p{Zp}\u202d\u202e]/u
/** A scheme, `www.`, or a host name with a path, a query, a fragment or a port. A host name alone is allowed as a shop's name. */
const link = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}(?:\/|\?|#|:\d)/iu

export const isPlainName = (text: string): boolean => !notOneLine.test(text) && !link.test(text)

/** The name without anything that a mail program would turn into a link: `shop.example` becomes `shop. example`. */
export const withoutLinks = (name: string): string =>
  name.replace(/:\/\//g, ' ').replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, '. ')
