/**
 * The scripts of a voucher's public page in the oldest browsers that they are written for, as for the buyer's page: Chrome 37 and
 * Safari of iOS 9. The minified texts are checked, as browsers get them.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { parseEs5, usedBy } from '../../../test/support/pure/script-names.ts'
import { imageScript, pageScript } from './voucher-page.ts'

const oldestChrome = 37

/**
 * What the scripts use of a browser, by the first Chrome that has it (MDN's browser-compat-data). A name that is not here is refused:
 * look its version up, and if it is newer than the oldest Chrome, check in the script whether the browser has it, and run the script
 * without it below. `then` is called only on what `clipboard` and `share` return.
 */
const namesByChrome: Readonly<Record<number, string>> = {
  1: `Math PI addEventListener appendChild body charCodeAt createElement dir document documentElement fillRect fillStyle fillText font
      fontFamily forEach getComputedStyle getContext height href length lineWidth location max measureText min name navigator pathname
      print push querySelector querySelectorAll removeChild restore rotate round save setTimeout slice split strokeRect strokeStyle
      target textAlign textBaseline textContent translate type url width window`,
  2: 'toDataURL',
  4: 'atob',
  7: 'Uint8Array dataset',
  8: 'origin',
  9: 'click',
  14: 'download',
  19: 'URL createObjectURL revokeObjectURL',
  20: 'Blob',
  22: 'className',
  23: 'setLineDash',
  32: 'then',
  38: 'File',
  50: 'toBlob',
  61: 'share',
  66: 'clipboard writeText',
  75: 'canShare files',
  77: 'direction',
}
const namesOf = (isMeant: (chrome: number) => boolean): string[] =>
  Object.entries(namesByChrome).flatMap(([chrome, names]) => (isMeant(Number(chrome)) ? names.split(/\s+/) : []))

/** The page below has none of these. `direction` is only set: a canvas that does not know it draws the same. */
const notInOldest = ['File', 'canShare', 'clipboard', 'direction', 'files', 'share', 'toBlob', 'writeText']

/** Names of our own: attributes `data-*` of the page, keys of objects. */
const ownNames = [
  ...['act', 'copied', 'failed', 'saved', 'tone', 'drawVoucher'],
  ...['amount', 'currency', 'decimals', 'edge', 'note', 'rows', 'shop', 'stamp', 'state'],
  ...['not', 'paid', 'test'],
]

test('the scripts are ES5: they have no syntax that Chrome 37 cannot read', () => {
  for (const script of [imageScript, pageScript]) assert.doesNotThrow(() => parseEs5(script))
})

test('the scripts use only names of the list, and all of them', () => {
  const used = [imageScript, pageScript].map(usedBy)
  const names = new Set(used.flatMap(({ names }) => names))
  assert.deepEqual([...names].sort(), [...new Set([...namesOf(() => true), ...ownNames])].sort())
  assert.deepEqual(
    used.flatMap(({ events }) => events),
    ['click'],
  )
  assert.deepEqual(namesOf((chrome) => chrome > oldestChrome).sort(), notInOldest)
})

type Drawn = { readonly text: string; readonly align: string; readonly x: number }

/** A page in a browser that has nothing newer than Chrome 37, except `more`. */
const openOldPage = (dir: 'rtl' | 'ltr', more: Readonly<Record<string, unknown>> = {}) => {
  const drawn: Drawn[] = []
  const context: Record<string, unknown> & { textAlign: string } = {
    textAlign: 'start',
    measureText: (text: string) => ({ width: text.length * 20 }),
    fillText: (text: string, x: number) => drawn.push({ text, align: context.textAlign, x }),
  }
  for (const name of ['fillRect', 'strokeRect', 'rotate', 'translate', 'save', 'restore', 'setLineDash'])
    context[name] = () => {}
  const status = { textContent: '' }
  const saved: { download?: string; size?: number }[] = []
  let listener: (event: unknown) => void = () => {}
  const texts: Record<string, string> = {
    h1: 'متجر المثال',
    '.state': 'إيصال دفع',
    '.whole': '1,500',
    '.cents': '.00',
    '.currency': 'ر.ي',
    '.stamp': 'مدفوع 10:05',
    '.check': 'للتأكد من صحة الإيصال افتح رابطه',
  }
  const blobs = new Map<string, Blob>()
  const document = {
    documentElement: { className: '', dir },
    body: {
      dataset: { tone: 'paid', copied: 'copied', saved: 'saved', failed: 'failed' },
      appendChild() {},
      removeChild() {},
    },
    addEventListener: (_: string, act: typeof listener) => {
      listener = act
    },
    querySelector: (selector: string) =>
      selector === '[role=status]' ? status : selector in texts ? { textContent: texts[selector] } : null,
    querySelectorAll: (selector: string) => [{ textContent: selector === 'dt' ? 'الطلبية' : 'A-1042' }],
    createElement: (tag: string) =>
      tag === 'canvas'
        ? { getContext: () => context, toDataURL: () => `data:image/png;base64,${btoa('a picture')}` }
        : {
            click(this: { download: string; href: string }) {
              saved.push({ download: this.download, size: blobs.get(this.href)!.size })
            },
          },
  }
  const window: Record<string, unknown> = { ...more }
  let printed = 0
  const globals = {
    document,
    window,
    navigator: {},
    location: { origin: 'https://pay.example.com', pathname: '/voucher/made-up' },
    getComputedStyle: () => ({ fontFamily: 'sans-serif' }),
    setTimeout: () => 0,
    print: () => printed++,
    atob,
    Blob,
    URL: {
      createObjectURL: (blob: Blob) => {
        blobs.set('blob:1', blob)
        return 'blob:1'
      },
      revokeObjectURL() {},
    },
    ...more,
  }
  runInNewContext(imageScript, globals)
  runInNewContext(pageScript, globals)
  const click = (act?: string): void => listener({ target: { dataset: act === undefined ? {} : { act } } })
  return { click, document, drawn, saved, status, printed: () => printed }
}

test('without toBlob, File, share and the clipboard: the page prints, shows its address, and saves the picture', () => {
  const page = openOldPage('rtl')
  assert.equal(page.document.documentElement.className, 'js')
  page.click()
  page.click('print')
  assert.equal(page.printed(), 1)
  page.click('copy')
  assert.equal(page.status.textContent, 'https://pay.example.com/voucher/made-up')
  page.click('image')
  assert.deepEqual(page.saved, [{ download: 'sanad.png', size: 'a picture'.length }])
  assert.equal(page.status.textContent, 'saved')
})

test('a canvas that takes every text as left to right draws Arabic inside the picture: each text is aligned by name', () => {
  for (const dir of ['rtl', 'ltr'] as const) {
    const page = openOldPage(dir)
    page.click('image')
    assert.ok(page.drawn.length > 8)
    for (const { text, align, x } of page.drawn) {
      if (align === 'center') continue
      assert.ok(align === 'left' || align === 'right', `${text}: ${align}`)
      const width = text.replaceAll(/[\u2068\u2069]/g, '').length * 20
      const [from, to] = align === 'left' ? [x, x + width] : [x - width, x]
      assert.ok(from >= 0 && to <= 1080, `${dir}: ${text} from ${from} to ${to}`)
    }
    const order = page.drawn.find(({ text }) => text.includes('A-1042'))!
    assert.equal(order.align, dir === 'rtl' ? 'left' : 'right')
  }
})
