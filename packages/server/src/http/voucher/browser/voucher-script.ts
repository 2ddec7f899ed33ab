/** The buttons of a voucher's public page: print, copy the address, share as an image. Without it the page shows all the same. */

type Picture = { readonly [name: string]: unknown }
type Drawer = (voucher: Picture, name: string, done: (how: string) => void) => void

function textOf(selector: string) {
  var element = document.querySelector(selector)
  return element ? element.textContent || '' : ''
}

function pictureOf(): Picture {
  var body = document.body.dataset
  var rows: string[][] = []
  var names = document.querySelectorAll('dt')
  var values = document.querySelectorAll('dd')
  var i = 0
  for (; i < names.length; i++) rows.push([names[i]!.textContent || '', values[i]!.textContent || ''])
  return {
    dir: document.documentElement.dir,
    shop: textOf('h1'),
    state: textOf('.state'),
    tone: body.tone,
    amount: textOf('.whole'),
    decimals: textOf('.cents'),
    currency: textOf('.currency'),
    stamp: textOf('.stamp'),
    rows: rows,
    note: textOf('.check'),
    url: location.origin + location.pathname,
    font: getComputedStyle(document.body).fontFamily,
    edge: '',
  }
}

function say(text: string | undefined) {
  document.querySelector('[role=status]')!.textContent = text || ''
}

/** Copies the address; where the browser cannot, it is shown to be copied by hand. */
function copy() {
  var texts = document.body.dataset
  var url = location.origin + location.pathname
  if (!navigator.clipboard) return say(url)
  navigator.clipboard.writeText(url).then(
    function () {
      say(texts.copied)
    },
    function () {
      say(url)
    },
  )
}

document.addEventListener('click', function (event) {
  var action = (event.target as HTMLElement).dataset.act
  var texts = document.body.dataset
  if (action === 'print') print()
  if (action === 'copy') copy()
  if (action === 'image')
    (window as unknown as { drawVoucher: Drawer }).drawVoucher(pictureOf(), 'sanad.png', function (how) {
      say(how === 'saved' ? texts.saved : how === 'failed' ? texts.failed : '')
    })
})
document.documentElement.className = 'js'
