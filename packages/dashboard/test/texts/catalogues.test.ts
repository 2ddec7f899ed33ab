/** The catalogues of texts as a whole: a key has one text, and every text is used by a screen. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { all } from '../../src/words/all.ts'
import type { Catalogue } from '../../src/words/catalogue.ts'

const source = resolve(import.meta.dirname, '../../src')

const catalogues = new Map<string, Catalogue>()
const shared = [
  'words/buyers.ts',
  'words/contact.ts',
  'words/findings.ts',
  'words/frame.ts',
  'words/labels.ts',
  'words/notifications.ts',
  'words/proof.ts',
  'words/pictures.ts',
  'words/refusals.ts',
  'words/requests.ts',
  'words/retention.ts',
  'words/shifts.ts',
  'words/short-reasons.ts',
  'words/shortcuts.ts',
  'words/till.ts',
  'words/voucher.ts',
]
for (const path of globSync([...shared, 'words/screens/*.ts'], {
  cwd: source,
})) {
  const file: Record<string, unknown> = await import(join(source, path))
  for (const [name, value] of Object.entries(file)) if (name.endsWith('Words')) catalogues.set(name, value as Catalogue)
}

const languages = ['en', 'ar'] as const

test('no key is in two catalogues: all share one map, so the one that is loaded last would win', () => {
  assert.ok(catalogues.size > 20, `only ${catalogues.size} catalogues were found`)
  for (const language of languages) {
    const places = new Map<string, string[]>()
    for (const [name, catalogue] of catalogues)
      for (const key of Object.keys(catalogue[language])) places.set(key, [...(places.get(key) ?? []), name])
    const repeated = [...places].filter(([, names]) => names.length > 1)
    assert.deepEqual(repeated, [])
    assert.deepEqual(Object.keys(all[language]).sort(), [...places.keys()].sort(), 'words/all.ts lists every catalogue')
  }
})

test('every text is used by a screen', () => {
  const written = new Set<string>()
  const built: RegExp[] = []
  for (const path of globSync('**/*.{ts,tsx}', { cwd: source })) {
    if (path.startsWith('words/screens/') || path.endsWith('.test.ts')) continue
    const text = readFileSync(join(source, path), 'utf8')
    // The catalogues of the frame and of refusals are in words/ too: there, a key before a colon is its definition.
    for (const [, key] of text.matchAll(/'(\w+(?:\.\w+)+)'(?!:)/g)) written.add(key!)
    // A key that is built, such as `role.${role}`, uses all keys of this form.
    for (const [, key] of text.matchAll(/`(\w+\.[\w.]*\$\{[^`]*)`/g))
      built.push(new RegExp(`^${key!.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '.+')}$`))
    // A string that ends with a dot, such as `'audit.did.'`, is the beginning of a key.
    for (const [, prefix] of text.matchAll(/'(\w+\.(?:\w+\.)*)'/g))
      built.push(new RegExp(`^${prefix!.replaceAll('.', '\\.')}`))
  }
  const isUsed = (key: string): boolean => written.has(key) || built.some((form) => form.test(key))
  const unused = Object.keys(all.en).filter((key) => !isUsed(key) && !isUsed(key.replace(/_(?:one|other)$/, '')))
  assert.deepEqual(unused, [])
})
