/** Makes the compiled translation (.mo, the format of GNU gettext) from the .po file: npm run woocommerce:translations. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const name = 'sanad-for-woocommerce-ar'
const folder = join(import.meta.dirname, 'plugin/languages')
export const translationFile = join(folder, `${name}.mo`)

const unquote = (line: string): string => JSON.parse(line.slice(line.indexOf('"')))

/** The texts of a .po file. Contexts and plural forms are refused: this plugin has none. */
export const readPo = (text: string): Map<string, string> => {
  const entries = new Map<string, string>()
  let field: 'msgid' | 'msgstr' | undefined
  let entry = { msgid: '', msgstr: '' }
  const keep = (): void => {
    if (field === 'msgstr') {
      if (entries.has(entry.msgid)) throw new Error(`twice: ${entry.msgid}`)
      if (entry.msgstr === '') throw new Error(`not translated: ${entry.msgid}`)
      entries.set(entry.msgid, entry.msgstr)
    }
    entry = { msgid: '', msgstr: '' }
    field = undefined
  }
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '' || line.startsWith('#')) continue
    if (line.startsWith('msgid ')) {
      keep()
      field = 'msgid'
    } else if (line.startsWith('msgstr ')) field = 'msgstr'
    else if (!line.startsWith('"')) throw new Error(`line ${index + 1} is not understood: ${line}`)
    if (field === undefined) throw new Error(`line ${index + 1} belongs to nothing: ${line}`)
    entry[field] += unquote(line)
  }
  keep()
  return entries
}

/** Header, table of originals, table of translations, and the texts; sorted by their bytes, each ended by a zero byte. */
export const compile = (entries: ReadonlyMap<string, string>): Buffer => {
  const rows = [...entries]
    .map(([id, text]) => [Buffer.from(id), Buffer.from(text)] as const)
    .sort(([left], [right]) => Buffer.compare(left, right))
  const head = 28
  const tables = Buffer.alloc(head + rows.length * 16)
  const write = (at: number, ...values: number[]): void => {
    for (const [index, value] of values.entries()) tables.writeUInt32LE(value, at + index * 4)
  }
  write(0, 0x950412de, 0, rows.length, head, head + rows.length * 8, 0, head + rows.length * 16)
  const texts: Buffer[] = []
  let offset = tables.length
  for (const column of [0, 1] as const) {
    for (const [index, row] of rows.entries()) {
      const text = row[column]
      write(head + (column * rows.length + index) * 8, text.length, offset)
      texts.push(text, Buffer.alloc(1))
      offset += text.length + 1
    }
  }
  return Buffer.concat([tables, ...texts])
}

export const builtTranslation = (): { entries: Map<string, string>; bytes: Buffer } => {
  const entries = readPo(readFileSync(join(folder, `${name}.po`), 'utf8'))
  return { entries, bytes: compile(entries) }
}

if (import.meta.main) {
  const { entries, bytes } = builtTranslation()
  writeFileSync(translationFile, bytes)
  process.stdout.write(`${translationFile}: ${entries.size} texts\n`)
}
