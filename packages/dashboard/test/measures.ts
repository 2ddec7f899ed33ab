/** What a test measures of a page that a person would see at once: order of Latin text, cut texts, texts over each other, small targets. */
import type { Page } from 'playwright-core'

/**
 * The Latin pieces of the page whose letters are not shown from left to right. A piece is what stands between Arabic letters
 * and Arabic punctuation, without the punctuation of the sentence around it. Letters of different lines are not compared.
 */
export const disordered = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.nodeValue ?? ''
      // A message is shown as the phone shows it.
      if (node.parentElement?.closest('script, style, pre, svg, blockquote, .sample') !== null) continue
      // A sign beside an isolated value belongs to it: the sign of 15% outside of the isolation stands on its wrong side.
      // Two values beside each other are two pieces.
      const sign = String.raw`(?:[\x21-\x7e\u2066-\u2068]|\u2069(?![\u2066\u2068]))`
      const pieces = new RegExp(`${sign}*[A-Za-z0-9]${sign}*(?: (?!\u2066|\u2068)[\x21-\x7e]+)*`, 'g')
      for (const { 0: raw, index } of text.matchAll(pieces)) {
        // Punctuation of the sentence. A sign that belongs to the piece, such as the slash of an address, is not cut off.
        const piece = raw.replace(/^[("\u2066-\u2069]+/, '').replace(/[.,:;!?()"\s\u2066-\u2069]+$/, '')
        const start = index + raw.indexOf(piece)
        let last: DOMRect | undefined
        for (let at = start; at < start + piece.length; at++) {
          if (text[at] === ' ') continue
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          const box = range.getBoundingClientRect()
          if (box.width === 0) continue
          if (last !== undefined && Math.abs(box.top - last.top) < 4 && box.left < last.left) {
            found.push(`${piece} in: ${text}`)
            break
          }
          last = box
        }
      }
    }
    return found
  })

/** Texts that their frame cuts off, and texts that lie over another text. What floats over the page (bars, dialogs) is left out. */
export const hiddenTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const root = document.querySelector('[role=dialog]') ?? document.body
    type Line = { readonly text: string; readonly box: DOMRect; readonly element: Element }
    const lines: Line[] = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = (node.nodeValue ?? '').replaceAll(/[\u2066-\u2069]/g, '').trim()
      const element = node.parentElement!
      if (text === '' || element.closest('script, style, noscript, option, textarea, [aria-hidden=true]') !== null)
        continue
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      let floats = false
      for (let above: Element | null = element; above !== null && above !== root; above = above.parentElement) {
        const { position, clip, clipPath, transform } = getComputedStyle(above)
        // A text for screen readers only is clipped to one pixel. The boxes of a stamp, which is turned, are larger than its letters.
        if (position === 'fixed' || position === 'sticky' || clip !== 'auto' || clipPath !== 'none') floats = true
        if (transform !== 'none') floats = true
      }
      if (floats) continue
      range.selectNodeContents(node)
      const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
      for (const box of boxes) lines.push({ text, box, element })
      for (let above: Element | null = element; above !== null && above !== root; above = above.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(above)
        if (overflowX === 'auto' || overflowX === 'scroll' || overflowY === 'auto' || overflowY === 'scroll') break
        const frame = above.getBoundingClientRect()
        const out = boxes.some(
          (box) =>
            (overflowX !== 'visible' && (box.left < frame.left - 1 || box.right > frame.right + 1)) ||
            (overflowY !== 'visible' && (box.top < frame.top - 4 || box.bottom > frame.bottom + 4)),
        )
        if (out) {
          found.push(`cut: ${text}`)
          break
        }
      }
    }
    for (const [n, one] of lines.entries())
      for (const other of lines.slice(n + 1)) {
        if (one.element === other.element) continue
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        // Boxes of lines are higher than their letters.
        if (width > 2 && height > Math.min(one.box.height, other.box.height) / 2)
          found.push(`over each other: ${one.text} | ${other.text}`)
      }
    return [...new Set(found)]
  })

/** The controls that are smaller than a finger, with their size. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const least = 44
    const usable =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=menuitem], [role=tab], [role=radio], [role=switch], [role=checkbox]'
    const root = document.querySelector('[role=dialog]') ?? document.body
    /** A link between words of a sentence. A link that is alone in its line is no such link. */
    const isInText = (element: Element): boolean => {
      if (!element.matches('a[href]') || getComputedStyle(element).display !== 'inline') return false
      const block = element.closest('p, li, td, dd, span, div')
      return block !== null && (block.textContent ?? '').trim().length > (element.textContent ?? '').trim().length
    }
    /** The element, and what reacts to a touch for it: its label, its frame, an invisible enlargement. */
    const areaOf = (element: Element): { width: number; height: number } => {
      const boxes = [element.getBoundingClientRect()]
      const add = (more: Element | null | undefined): void => {
        if (more) boxes.push(more.getBoundingClientRect())
      }
      if (element instanceof HTMLInputElement && /radio|checkbox/.test(element.type))
        for (const label of element.labels ?? []) add(label)
      // The whole frame of a field for several values takes the touch.
      if (element.matches('.mantine-PillsInputField-field')) add(element.closest('.mantine-Input-wrapper'))
      const after = getComputedStyle(element, '::after')
      const enlarged =
        after.position === 'absolute' && after.content !== 'none'
          ? { width: Number.parseFloat(after.width) || 0, height: Number.parseFloat(after.height) || 0 }
          : { width: 0, height: 0 }
      const left = Math.min(...boxes.map((box) => box.left))
      const right = Math.max(...boxes.map((box) => box.right))
      const top = Math.min(...boxes.map((box) => box.top))
      const bottom = Math.max(...boxes.map((box) => box.bottom))
      return { width: Math.max(right - left, enlarged.width), height: Math.max(bottom - top, enlarged.height) }
    }
    return [...root.querySelectorAll<HTMLElement>(usable)].flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: false })) return []
      if (element.closest('[inert], [aria-hidden=true], .skip') !== null || element.tabIndex < 0) return []
      if (isInText(element)) return []
      const { width, height } = areaOf(element)
      if (width === 0 || (width >= least - 0.5 && height >= least - 0.5)) return []
      return `${Math.round(width)}x${Math.round(height)} ${element.outerHTML.replace(/<svg.*?<\/svg>/gs, '').slice(0, 150)}`
    })
  })
