/**
 * The keys of the dashboard: which key was pressed, on any keyboard layout, and what it does. An Arabic layout types `ظ` where
 * the key `/` is, and `ل` for `g`: a key that types no Latin sign is known by its place. Pure.
 */

/** What is read of a `KeyboardEvent`. */
export type PressedKey = {
  readonly key: string
  readonly code: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** The sign of a key: `/`, `?`, or a small letter. Undefined: another key, or one with a modifier that belongs to the browser. */
export const signOf = (pressed: PressedKey): string | undefined => {
  const { key, code, shiftKey, ctrlKey, metaKey, altKey } = pressed
  if (ctrlKey || metaKey || altKey) return undefined
  if (key === '/' || key === '?') return key
  if (/^[a-z]$/i.test(key)) return shiftKey ? undefined : key.toLowerCase()
  // Not a sign but a name, such as Enter; or a Latin sign, which is what the layout says it is.
  if (key.length !== 1 || key <= '~') return undefined
  if (code === 'Slash') return shiftKey ? '?' : '/'
  return shiftKey ? undefined : /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase()
}

export type Shortcut = { readonly keys: readonly [string] | readonly ['g', string]; readonly path: string }

/** The screens that have keys. A user has the keys of the screens that the role allows. */
export const shortcuts = [
  { keys: ['g', 't'], path: '/' },
  { keys: ['g', 'c'], path: '/counter' },
  { keys: ['g', 'i'], path: '/intents' },
  { keys: ['g', 'u'], path: '/unmatched' },
  { keys: ['n'], path: '/counter/new' },
] as const satisfies readonly Shortcut[]

/** The second key of a pair is pressed within this time. */
export const pair_ms = 1500

/** The first key of a pair, and when it was pressed. */
export type Begun = { readonly key: 'g'; readonly at: number } | undefined

/** What a sign does: opens a screen, shows the list of keys, begins a pair, or nothing. */
export const press = (
  sign: string,
  begun: Begun,
  now: number,
): { readonly open?: string; readonly list?: true; readonly begun: Begun } => {
  if (sign === '?') return { list: true, begun: undefined }
  const first = begun !== undefined && now - begun.at <= pair_ms ? begun.key : undefined
  const found = shortcuts.find(({ keys }) => keys.join(' ') === [...(first ? [first] : []), sign].join(' '))
  if (found !== undefined) return { open: found.path, begun: undefined }
  return { begun: sign === 'g' && first === undefined ? { key: 'g', at: now } : undefined }
}
