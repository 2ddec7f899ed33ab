/**
 * Names that users choose: of accounts, shops, wallets, keys, phones and themselves. Others read them in emails and on pages, so a name is one line,
 * contains no link, does not reverse the text around it, and can be seen. Pure.
 */

/**
 * Control characters and line breaks; marks that begin or end a part of another direction, which can show the text around a name
 * in another order. The three marks that act on their own place only (LRM, RLM, ALM) are allowed: copied Arabic contains them.
 */
const notOneLine = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
/** A scheme, `www.`, or a host name with a path, a query, a fragment or a port. A host name alone is allowed as a shop's name. */
const link = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}(?:\/|\?|#|:\d)/iu

/** Anything but marks, spaces and characters without a shape: a name of these alone looks as if there were none. */
const visible = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

/** An empty text is plain: whether there must be a name is another question. */
export const isPlainName = (text: string): boolean =>
  !notOneLine.test(text) && !link.test(text) && (text === '' || visible.test(text))

/** The name without characters that cannot be seen, to compare what people read. */
export const visibleText = (name: string): string => name.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')

/** The name without anything that a mail program would turn into a link: `shop.example` becomes `shop. example`. */
export const withoutLinks = (name: string): string =>
  name.replace(/:\/\//g, ' ').replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, '. ')
