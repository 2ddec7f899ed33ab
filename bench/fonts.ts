/**
 * `npm run fonts`: the part of each web font that the dashboard's own texts need, so that a first visit loads 50 kB of fonts and not
 * 150 kB. Needs fontTools with brotli (Debian: `apt-get install fonttools python3-brotli`). Writes packages/dashboard/src/frame/fonts/
 * and its style sheet. Characters that are left out, for example the letters of Persian or French, are in the whole font, which a
 * browser loads when such a character is on the page.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const into = join(import.meta.dirname, '../packages/dashboard/src/frame/fonts')
const { resolve } = createRequire(join(into, 'fonts.css'))

/** ASCII, and the signs that texts of the dashboard have. */
const latin =
  'U+0020-007E,U+00A0,U+00AB,U+00B7,U+00BB,U+00D7,U+2013-2014,U+2018-2019,U+201C-201D,U+2026,U+2190-2193,U+2212'
/** The Arabic language: letters, vowel marks, digits, punctuation. */
const arabic = 'U+0020,U+00A0,U+060C,U+061B,U+061F,U+0621-063A,U+0640-0652,U+0660-066C,U+0670'

const fonts = [
  { name: 'ibm-plex-sans', family: 'IBM Plex Sans', script: 'latin', weight: 400, wanted: latin },
  { name: 'ibm-plex-sans', family: 'IBM Plex Sans', script: 'latin', weight: 600, wanted: latin },
  { name: 'ibm-plex-sans-arabic', family: 'IBM Plex Sans Arabic', script: 'arabic', weight: 400, wanted: arabic },
  { name: 'ibm-plex-sans-arabic', family: 'IBM Plex Sans Arabic', script: 'arabic', weight: 600, wanted: arabic },
  { name: 'ibm-plex-mono', family: 'IBM Plex Mono', script: 'latin', weight: 400, wanted: latin },
] as const

/**
 * Arguments: source, target, characters, name. Writes the part without hints for low resolutions, under a name of its own, and
 * prints which characters the part has, and which visible ones only the whole has.
 */
const program = `
import sys, unicodedata
from fontTools import subset
source, target, wanted, name = sys.argv[1:]
options = subset.Options(flavor='woff2', hinting=False, name_IDs=[0, 1, 2, 3, 4, 6, 13, 14])
font = subset.load_font(source, options)
whole = set(font.getBestCmap())
subsetter = subset.Subsetter(options)
subsetter.populate(unicodes=subset.parse_unicodes(wanted.replace('U+', '')))
subsetter.subset(font)
part = set(font.getBestCmap())
for record in font['name'].names:
    if record.nameID in (1, 3, 4): record.string = name
    if record.nameID == 6: record.string = name.replace(' ', '')
subset.save_font(font, target, options)
def ranges(codes):
    found = []
    for code in sorted(codes):
        if found and found[-1][1] == code - 1: found[-1][1] = code
        else: found.append([code, code])
    return ', '.join(f'U+{a:04X}' if a == b else f'U+{a:04X}-{b:04X}' for a, b in found)
print(ranges(part))
invisible = {c for c in whole if unicodedata.category(chr(c)) in ('Cc', 'Cf', 'Zs', 'Zl', 'Zp')}
print(ranges(whole - part - invisible))
`

const face = (family: string, weight: number, url: string, range: string): string => `@font-face {
  font-family: "${family}";
  font-style: normal;
  font-display: swap;
  font-weight: ${weight};
  src: url("${url}") format("woff2");
  unicode-range: ${range};
}
`

let styles =
  '/* Written by `npm run fonts`. A whole font is loaded only for a character that its part does not have. */\n'
for (const { name, family, script, weight, wanted } of fonts) {
  const original = `@fontsource/${name}/files/${name}-${script}-${weight}-normal.woff2`
  const part = `${name}-part-${weight}.woff2`
  const named = `Sanad ${family.replace('IBM Plex ', '')} ${weight}`
  const { error, status, stdout, stderr } = spawnSync(
    'python3',
    ['-c', program, resolve(original), join(into, part), wanted, named],
    { encoding: 'utf8' },
  )
  if (error !== undefined || status !== 0)
    throw new Error(`apt-get install fonttools python3-brotli: ${stderr}`, { cause: error })
  const [inPart = '', inWholeOnly = ''] = stdout.trim().split('\n')
  styles += face(family, weight, original, inWholeOnly) + face(family, weight, `./${part}`, inPart)
  process.stdout.write(`${part}  ${(readFileSync(join(into, part)).length / 1000).toFixed(1)} kB\n`)
}
writeFileSync(join(into, 'fonts.css'), styles)
