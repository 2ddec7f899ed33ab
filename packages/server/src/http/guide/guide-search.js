/*
 * Runs in the browser: the search of the guide, and a copy button on each piece of code. The index is fetched when the field is
 * used for the first time. Plain JavaScript, because nothing builds it. Without it, the list of all headings serves.
 */
;(() => {
  const { index, nothing, unavailable, copy, copied, results } = document.body.dataset
  const box = document.querySelector('.search')
  const field = box.querySelector('input')
  const list = box.querySelector('.results')
  list.setAttribute('aria-label', results)
  box.hidden = false

  /** Letters that people write in several ways become one; marks and the stretching of letters are dropped. */
  const fold = (text) =>
    text
      .toLowerCase()
      .normalize('NFKC')
      .replace(/[\u064B-\u0652\u0640]/g, '')
      .replace(/[أإآ]/g, 'ا')
      .replace(/ى/g, 'ي')
      .replace(/ة/g, 'ه')

  let loading
  const load = () => {
    loading ??= fetch(index)
      .then((answer) => answer.json())
      .then((rows) =>
        rows.map(([url, page, heading, text]) => ({
          ...{ url, page, heading, text },
          ...{ inHeading: fold(heading), inPage: fold(page), inText: fold(text) },
        })),
      )
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }

  const around = (row, term) => {
    const at = Math.max(0, row.inText.indexOf(term) - 40)
    return `${at > 0 ? '…' : ''}${row.text.slice(at, at + 120)}${row.text.length > at + 120 ? '…' : ''}`
  }

  /** How well a section fits: its heading counts most, then its text, then the title of its page. 0: not at all. */
  const rankOf = (row, term) =>
    (row.inHeading.includes(term) ? 4 : 0) + (row.inText.includes(term) ? 2 : 0) + (row.inPage.includes(term) ? 1 : 0)

  const find = (rows, words) => {
    const terms = fold(words).split(/\s+/).filter(Boolean)
    return rows
      .map((row) => ({ row, ranks: terms.map((term) => rankOf(row, term)) }))
      .filter(({ ranks }) => ranks.every((rank) => rank > 0))
      .map(({ row, ranks }) => ({ row, rank: ranks.reduce((sum, rank) => sum + rank, 0) }))
      .sort((one, other) => other.rank - one.rank)
      .slice(0, 12)
      .map(({ row }) => ({ row, snippet: around(row, terms[0]) }))
  }

  const element = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text, ...more })
  const show = (...items) => {
    list.replaceChildren(...items)
    list.hidden = items.length === 0
  }
  const message = (text) => {
    const item = document.createElement('li')
    item.append(element('p', text))
    return item
  }

  const search = async () => {
    const words = field.value.trim()
    if (words === '') return show()
    let rows
    try {
      rows = await load()
    } catch {
      return show(message(unavailable))
    }
    if (field.value.trim() !== words) return
    const found = find(rows, words).map(({ row, snippet }) => {
      const item = document.createElement('li')
      const link = element('a', row.heading, { href: row.url })
      link.append(element('small', row.page === row.heading ? snippet : `${row.page} · ${snippet}`))
      item.append(link)
      return item
    })
    show(...(found.length === 0 ? [message(nothing)] : found))
  }
  field.addEventListener('input', search)
  field.addEventListener('focus', () => void load().catch(() => {}), { once: true })
  list.addEventListener('click', (event) => {
    if (event.target.closest('a')) show()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') show()
    const typing = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      field.focus()
    }
  })
  document.addEventListener('click', (event) => {
    if (!box.contains(event.target)) show()
  })

  if (navigator.clipboard === undefined) return
  for (const figure of document.querySelectorAll('.code')) {
    const button = element('button', copy, { type: 'button', className: 'copy' })
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent)
      button.textContent = copied
      setTimeout(() => {
        button.textContent = copy
      }, 2000)
    })
    figure.append(button)
  }
})()
