/**
 * Draws a voucher as a picture on the device, and shares it: by the device's own menu where it takes files, otherwise as a
 * download. It is inside the public page of a voucher, and the dashboard loads it when somebody shares an image, so that both give
 * the same picture. The browser shapes and orders the text; each value is isolated (U+2068), so that a number keeps its order in an
 * Arabic line.
 *
 * It leaves one name: `drawVoucher`.
 */

type VoucherPicture = {
  /** The direction of the language. */
  dir: 'ltr' | 'rtl'
  shop: string
  /** The first line: whether it is paid. */
  state: string
  tone: 'paid' | 'not' | 'test'
  /** The whole part and the decimals of what arrived; empty: nothing arrived. */
  amount: string
  decimals: string
  currency: string
  /** The text of the stamp; empty: not paid. */
  stamp: string
  rows: string[][]
  /** The note above the address, and the public address: by it anybody can check the picture. */
  note: string
  url: string
  /** The families of fonts. */
  font: string
  /** The colour of the edge, `#rrggbb`; empty: that of the tone. */
  edge: string
}

var width = 1080
var margin = 88
var inks = { paid: '#1b7f4b', not: '#b3261e', test: '#7a5d0c' }

function isolated(text: string) {
  return '\u2068' + text + '\u2069'
}

/** The longest beginning of the text that fits. */
function fitting(context: CanvasRenderingContext2D, text: string, room: number) {
  var cut = text.length
  while (cut > 1 && context.measureText(text.slice(0, cut)).width > room) cut--
  return text.slice(0, cut)
}

var mostLines = 4

/** The text in lines that fit; a word that is longer than a line is cut. */
function linesOf(context: CanvasRenderingContext2D, text: string, room: number) {
  var lines: string[] = []
  var line = ''
  text.split(' ').forEach(function (word) {
    var rest = word
    var part: string
    if (line && context.measureText(line + ' ' + rest).width > room) {
      lines.push(line)
      line = ''
    }
    while (context.measureText(rest).width > room && lines.length < mostLines) {
      part = fitting(context, rest, room)
      lines.push(part)
      rest = rest.slice(part.length)
    }
    line = line ? line + ' ' + rest : rest
  })
  if (line) lines.push(line)
  return lines.slice(0, mostLines)
}

/** What arrived, in the middle, as large as fits. Returns the height. */
function paintAmount(context: CanvasRenderingContext2D, voucher: VoucherPicture, top: number, room: number) {
  var size = 136
  var gap = 20
  var amount = 0
  var decimals = 0
  var currency = 0
  do {
    size -= 4
    context.font = '700 ' + size + 'px ' + voucher.font
    amount = context.measureText(voucher.amount).width
    decimals = context.measureText(voucher.decimals).width
    context.font = '400 52px ' + voucher.font
    currency = context.measureText(voucher.currency).width
  } while (amount + decimals + gap + currency > room && size > 40)
  // Digits run from left to right in both languages; the currency follows them in the order of the language.
  var isRtl = voucher.dir === 'rtl'
  var left = (width - (amount + decimals + gap + currency)) / 2
  var x = isRtl ? left + currency + gap : left
  var y = top + Math.round(size * 1.25)
  context.textAlign = 'left'
  context.direction = 'ltr'
  context.fillStyle = '#5c6675'
  context.fillText(voucher.currency, isRtl ? left : x + amount + decimals + gap, y)
  context.font = '700 ' + size + 'px ' + voucher.font
  context.fillStyle = '#17202e'
  context.fillText(voucher.amount, x, y)
  if (voucher.decimals === '.00') context.fillStyle = '#9aa4b2'
  context.fillText(voucher.decimals, x + amount, y)
  return Math.round(size * 1.25) + 28
}

/** The stamp, a little turned. Returns the height. */
function paintStamp(context: CanvasRenderingContext2D, voucher: VoucherPicture, top: number, room: number) {
  context.save()
  context.font = '700 60px ' + voucher.font
  var stamp = Math.min(context.measureText(voucher.stamp).width + 88, room)
  context.translate(width / 2, top + 92)
  context.rotate((-6 * Math.PI) / 180)
  context.strokeStyle = inks[voucher.tone]
  context.fillStyle = inks[voucher.tone]
  context.lineWidth = 8
  if (voucher.tone === 'test' && context.setLineDash) context.setLineDash([24, 16])
  context.strokeRect(-stamp / 2, -56, stamp, 112)
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.direction = voucher.dir
  context.fillText(isolated(voucher.stamp), 0, 4, stamp - 40)
  context.restore()
  return 190
}

/** Paints the voucher on the canvas. Returns the height that it needs. */
function paint(canvas: HTMLCanvasElement, voucher: VoucherPicture) {
  var context = canvas.getContext('2d')!
  var isRtl = voucher.dir === 'rtl'
  var begin = isRtl ? width - margin : margin
  var room = width - 2 * margin
  var quiet = '#5c6675'
  var ink = '#17202e'
  var y = 72

  /** Below what is painted, at the beginning of the line or at its end. */
  function write(text: string, size: number, weight: string, color: string, atEnd: boolean, most: number) {
    context.font = weight + ' ' + size + 'px ' + voucher.font
    context.fillStyle = color
    // By name: before Chrome 77 a canvas outside the page takes every text as running from left to right.
    context.textAlign = atEnd === isRtl ? 'left' : 'right'
    context.direction = voucher.dir
    linesOf(context, text, most).forEach(function (line) {
      y += Math.round(size * 1.45)
      context.fillText(isolated(line), atEnd ? width - begin : begin, y)
    })
  }

  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, width, canvas.height)
  context.fillStyle = voucher.edge || inks[voucher.tone]
  context.fillRect(isRtl ? width - 16 : 0, 0, 16, canvas.height)
  write(voucher.state, 44, '600', voucher.tone === 'paid' ? ink : inks[voucher.tone], false, room)
  write(voucher.shop, 52, '700', ink, false, room)
  y += 24
  if (voucher.amount) y += paintAmount(context, voucher, y, room)
  if (voucher.stamp) y += paintStamp(context, voucher, y, room)
  y += 8
  voucher.rows.forEach(function (row) {
    var top = y + 14
    var bottom: number
    context.fillStyle = '#e6e2d8'
    context.fillRect(margin, y + 16, room, 2)
    y = top
    write(row[0]!, 36, '400', quiet, false, room * 0.34)
    bottom = y
    y = top
    write(row[1]!, 40, '600', ink, true, room * 0.62)
    y = Math.max(y, bottom) + 8
  })
  y += 24
  write(voucher.note, 30, '400', quiet, false, room)
  context.direction = 'ltr'
  context.textAlign = 'left'
  context.font = '400 28px ' + voucher.font
  linesOf(context, voucher.url, room).forEach(function (line) {
    y += 42
    context.fillText(line, margin, y)
  })
  return y + 72
}

function draw(voucher: VoucherPicture) {
  var canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = 10
  var height = Math.min(paint(canvas, voucher), 4096)
  canvas.height = height
  paint(canvas, voucher)
  return canvas
}

/** Before Chrome 50 and Safari of iOS 11 a canvas gives its picture only as text. */
function blobOf(canvas: HTMLCanvasElement, done: (blob: Blob | null) => void) {
  if (canvas.toBlob) return canvas.toBlob(done, 'image/png')
  var text = atob(canvas.toDataURL('image/png').split(',')[1]!)
  var bytes = new Uint8Array(text.length)
  var i = 0
  for (; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  done(new Blob([bytes], { type: 'image/png' }))
}

function save(blob: Blob, name: string) {
  var link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  document.body.appendChild(link)
  link.click()
  document.body.removeChild(link)
  setTimeout(function () {
    URL.revokeObjectURL(link.href)
  }, 60000)
}

/** `name`: of the file. `done` is called once: `shared`, `saved` (downloaded), `cancelled`, or `failed`. */
function drawVoucher(voucher: VoucherPicture, name: string, done: (how: string) => void) {
  blobOf(draw(voucher), function (blob) {
    if (!blob) return done('failed')
    var files: File[] | undefined
    try {
      files = [new File([blob], name, { type: 'image/png' })]
    } catch (_) {
      // An old browser cannot make files.
    }
    if (!files || !navigator.canShare || !navigator.share || !navigator.canShare({ files: files })) {
      save(blob, name)
      return done('saved')
    }
    navigator.share({ files: files }).then(
      function () {
        done('shared')
      },
      function (fault: { name?: string }) {
        // Any other fault: the browser did not open its menu.
        if (fault && fault.name === 'AbortError') return done('cancelled')
        save(blob, name)
        done('saved')
      },
    )
  })
}

;(window as unknown as { drawVoucher: typeof drawVoucher }).drawVoucher = drawVoucher
