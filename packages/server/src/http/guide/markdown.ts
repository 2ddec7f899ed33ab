/**
 * Turns the Markdown of the guide into HTML. It supports the syntax that the guide uses: headings, paragraphs, lists,
 * tables, quotes, code, pictures, links, bold, and emphasis (for names of screens). Everything else is escaped as text,
 * HTML too, so no page can contain markup of its own. Headings of the third level between `<!-- tabs -->` and
 * `<!-- /tabs -->` are tabs; a git host shows them one after another. Pure.
 */
import { escapeText } from '../pay/html.ts'

export type Heading = { readonly level: number; readonly id: string; readonly text: string }
/** The text under a heading, without Markdown syntax, for the search. */
export type Section = { readonly id: string; readonly heading: string; readonly text: string }
export type Rendered = {
  /** The text of the first heading of the first level. */
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
}

export type Embeds = {
  /** What readers choose by the tabs of a page, for screen readers. */
  readonly tabsName: string
  /** The address on the page for a link of the source. */
  readonly link: (target: string) => string
  /** The address at which the file of a picture is served. */
  readonly picture: (target: string) => string
  /** A paragraph that is only a link to a file of `examples/` shows the file. Returns its text and its address. */
  readonly example: (
    target: string,
  ) => { readonly name: string; readonly url: string; readonly text: string } | undefined
  /** The Markdown that replaces a line `<!-- name -->`. */
  readonly generated: (name: string) => string | undefined
}

/** Latin code in an Arabic sentence keeps its own direction. */
const code = (text: string): string => `<code dir="ltr">${escapeText(text)}</code>`

const spans = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g

const inline = (text: string, embeds: Embeds): string => {
  let out = ''
  let at = 0
  for (const found of text.matchAll(spans)) {
    const [all, inCode, bold, emphasis, label, target] = found
    out += escapeText(text.slice(at, found.index))
    if (inCode !== undefined) out += code(inCode)
    else if (bold !== undefined) out += `<strong>${inline(bold, embeds)}</strong>`
    else if (emphasis !== undefined) out += `<em>${inline(emphasis, embeds)}</em>`
    else out += `<a href="${escapeText(embeds.link(target!))}">${inline(label!, embeds)}</a>`
    at = found.index + all.length
  }
  return out + escapeText(text.slice(at))
}

/** The text without Markdown syntax. */
export const plainText = (text: string): string =>
  text
    .replace(spans, (_, inCode, bold, emphasis, label) => inCode ?? plainText(bold ?? emphasis ?? label))
    .replace(/^\s*(?:[-*]|\d+\.)\s+/gm, '')
    .replace(/[|#>]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const slug = (text: string): string =>
  plainText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    .replace(/^-+|-+$/g, '')

const codeBlock = (text: string, language: string, caption = ''): string =>
  `<figure class="code">${caption}<pre dir="ltr" tabindex="0"><code${
    language === '' ? '' : ` data-language="${escapeText(language)}"`
  }>${escapeText(text)}</code></pre></figure>`

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    // A bar in code is written `\|`, as GitHub reads it.
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

const listItem = /^(\s*)(?:[-*]|(\d+)\.)\s+(.*)$/
const beginsBlock = /^(?:```|#{1,3} |> |\||<!-- |\s*(?:[-*]|\d+\.)\s)/

/** Renders one page. Throws if the source is invalid: an open code block, or a table without its second line. */
export const renderMarkdown = (source: string, embeds: Embeds): Rendered => {
  const headings: Heading[] = []
  const sections: { id: string; heading: string; text: string }[] = []
  const ids = new Map<string, number>()

  const newId = (text: string): string => {
    const base = slug(text) || 'section'
    const count = ids.get(base) ?? 0
    ids.set(base, count + 1)
    return count === 0 ? base : `${base}-${count + 1}`
  }

  const heading = (level: number, text: string): string => {
    const id = newId(text)
    headings.push({ level, id, text: plainText(text) })
    sections.push({ id, heading: plainText(text), text: '' })
    const label = inline(text, embeds)
    return level === 1
      ? `<h1 id="${id}">${label}</h1>`
      : `<h${level} id="${id}"><a class="anchor" href="#${encodeURIComponent(id)}">${label}</a></h${level}>`
  }

  const addToSection = (text: string): void => {
    const last = sections.at(-1)
    if (last !== undefined) last.text = `${last.text} ${plainText(text)}`.trim()
  }

  const table = (lines: readonly string[]): string => {
    const [head, rule, ...rows] = lines
    if (rule === undefined || !/^\|[\s:|-]+\|$/.test(rule.trim())) throw new Error(`a table without a rule: ${head}`)
    const row = (line: string, tag: 'th' | 'td'): string =>
      `<tr>${cellsOf(line)
        .map((cell) => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${inline(cell, embeds)}</${tag}>`)
        .join('')}</tr>`
    const hasHead = cellsOf(head!).some((cell) => cell !== '')
    return `<div class="scroll" tabindex="0"><table>${hasHead ? `<thead>${row(head!, 'th')}</thead>` : ''}<tbody>${rows
      .map((line) => row(line, 'td'))
      .join('')}</tbody></table></div>`
  }

  const list = (lines: readonly string[]): string => {
    const first = listItem.exec(lines[0]!)!
    const indent = first[1]!.length
    const items: string[][] = []
    for (const line of lines) {
      const item = listItem.exec(line)
      if (item !== null && item[1]!.length === indent) items.push([item[3]!])
      else items.at(-1)!.push(line.replace(new RegExp(`^\\s{0,${indent + 3}}`), ''))
    }
    const tag = first[2] === undefined ? 'ul' : 'ol'
    const start = first[2] === undefined || first[2] === '1' ? '' : ` start="${first[2]}"`
    const rendered = items.map((item) => blocks(item).replace(/^<p>([\s\S]*?)<\/p>/, '$1'))
    return `<${tag}${start}>${rendered.map((item) => `<li>${item}</li>`).join('')}</${tag}>`
  }

  let groups = 0
  /** Radio buttons choose the tab: they work without scripts, by keyboard, and in screen readers. */
  const tabs = (lines: readonly string[]): string => {
    const panels: { label: string; lines: string[] }[] = []
    for (const line of lines) {
      const label = /^### (.+)$/.exec(line)?.[1]
      if (label !== undefined) panels.push({ label, lines: [] })
      else if (panels.length > 0) panels.at(-1)!.lines.push(line)
      else if (line.trim() !== '') throw new Error(`text before the first tab: ${line}`)
    }
    if (panels.length < 2 || panels.length > 4) throw new Error(`two to four tabs, not ${panels.length}`)
    const group = `tabs-${++groups}`
    const above = sections.at(-1)?.heading ?? ''
    const buttons = panels.map(({ label }, at) => {
      const id = `${group}-${at + 1}`
      return `<input type="radio" name="${group}" id="${id}"${at === 0 ? ' checked' : ''}><label for="${id}"><bdi>${escapeText(label)}</bdi></label>`
    })
    const shown = panels.map(({ label, lines: inner }) => {
      // The search finds each tab by itself.
      const id = newId(`${above} ${label}`)
      sections.push({ id, heading: `${above}: ${label}`, text: '' })
      return `<section class="tab" id="${id}"><h3>${escapeText(label)}</h3>${blocks(inner)}</section>`
    })
    // What follows the tabs belongs to the section above them.
    if (above !== '') sections.push({ ...sections.findLast(({ heading }) => heading === above)!, text: '' })
    return `<div class="tabs" role="group" aria-label="${escapeText(embeds.tabsName)}">${buttons.join('')}${shown.join('')}</div>`
  }

  const paragraph = (text: string): string => {
    const picture = /^!\[([^\]]*)\]\(([^)\s]+)\)$/.exec(text)
    if (picture !== null) {
      const [, label, target] = picture
      return `<p class="picture"><img src="${escapeText(embeds.picture(target!))}" alt="${escapeText(label!)}"></p>`
    }
    const link = /^\[[^\]]+\]\(([^)\s]+)\)$/.exec(text)
    const example = link === null ? undefined : embeds.example(link[1]!)
    if (example !== undefined) {
      const { name, url, text: content } = example
      const caption = `<figcaption><a href="${escapeText(url)}"><bdi dir="ltr">${escapeText(name)}</bdi></a></figcaption>`
      return codeBlock(content.trimEnd(), name.split('.').at(-1)!, caption)
    }
    addToSection(text)
    return `<p>${inline(text, embeds)}</p>`
  }

  const blocks = (lines: readonly string[]): string => {
    let out = ''
    let at = 0
    /** Takes the next lines for as long as the predicate is true. */
    const take = (predicate: (line: string) => boolean): string[] => {
      const from = at
      while (at < lines.length && predicate(lines[at]!)) at++
      return lines.slice(from, at)
    }
    while (at < lines.length) {
      const line = lines[at]!
      const headingMatch = /^(#{1,3}) (.+)$/.exec(line)
      const generated = /^<!-- ([\w-]+) -->$/.exec(line)
      if (line.trim() === '') at++
      else if (line === '<!-- tabs -->') {
        at++
        const content = take((next) => next !== '<!-- /tabs -->')
        if (at === lines.length) throw new Error('the tabs are not closed')
        at++
        out += tabs(content)
      } else if (line.startsWith('```')) {
        at++
        const content = take((next) => !next.startsWith('```'))
        if (at === lines.length) throw new Error(`a code block is not closed: ${line}`)
        at++
        out += codeBlock(content.join('\n'), line.slice(3).trim())
      } else if (headingMatch !== null) {
        at++
        out += heading(headingMatch[1]!.length, headingMatch[2]!)
      } else if (generated !== null) {
        at++
        const source = embeds.generated(generated[1]!)
        if (source === undefined) throw new Error(`nothing is generated as ${generated[1]}`)
        out += blocks(source.split('\n'))
      } else if (line.startsWith('|')) {
        const rows = take((next) => next.startsWith('|'))
        for (const row of rows) addToSection(row.replace(/^\|[\s:|-]+\|$/, ''))
        out += table(rows)
      } else if (line.startsWith('> ')) {
        const quoted = take((next) => next.startsWith('>')).map((next) => next.replace(/^> ?/, ''))
        out += `<aside class="note">${blocks(quoted)}</aside>`
      } else if (listItem.test(line)) {
        const listLines = take((next) => listItem.test(next) || /^\s+\S/.test(next) || next.trim() === '')
        // Empty lines after the last item are not part of the list.
        while (listLines.at(-1)?.trim() === '') listLines.pop()
        out += list(listLines)
      } else {
        const first = at
        const text = take((next) => next.trim() !== '' && (at === first || !beginsBlock.test(next)))
        out += paragraph(text.map((part) => part.trim()).join(' '))
      }
    }
    return out
  }

  const html = blocks(source.split('\n'))
  const title = headings.find(({ level }) => level === 1)?.text
  if (title === undefined) throw new Error('a page of the guide begins with a heading')
  return { title, html, headings, sections }
}
