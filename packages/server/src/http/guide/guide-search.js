/*
 * Runs in the browser: the search of the guide, the chosen tabs, and a copy button on each code block. The index is fetched when the field is
 * used for the first time; guide-find.js, which is sent before this file, chooses the sections. Plain JavaScript, because
 * nothing builds it. Readers without scripts use the list of all headings.
 */
;(() => {
  const { index, nothing, unavailable, copy, copied, results } = document.body.dataset
  const box = document.querySelector('.search')
  const field = box.querySelector('input')
  const list = box.querySelector('.results')
  list.setAttribute('aria-label', results)
  box.hidden = false

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

  const snippetOf = (row, term) => {
    const at = Math.max(0, row.inText.indexOf(term) - 40)
    return `${at > 0 ? '…' : ''}${row.text.slice(at, at + 120)}${row.text.length > at + 120 ? '…' : ''}`
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
    const found = findSections(rows, words).map(({ row, term }) => {
      const snippet = snippetOf(row, term)
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

  // One choice for all tabs, kept for the next page. A link into a tab opens it.
  const remembered = 'sanad-guide-tab'
  const radios = [...document.querySelectorAll('.tabs>input')]
  const nameOf = (radio) => radio.nextElementSibling.textContent
  const choose = (name) => {
    for (const radio of radios) if (nameOf(radio) === name) radio.checked = true
  }
  const openTarget = () => {
    const id = decodeURIComponent(location.hash.slice(1))
    const tab = id === '' ? null : document.getElementById(id)?.closest('.tab')
    if (!tab) return
    choose(tab.querySelector('h3').textContent)
    tab.scrollIntoView()
  }
  if (radios.length > 0) {
    try {
      choose(localStorage.getItem(remembered))
    } catch {
      // A browser may keep nothing.
    }
    for (const radio of radios)
      radio.addEventListener('change', () => {
        // The other tabs change their height: the ones that were pressed stay where they are.
        const before = radio.parentElement.getBoundingClientRect().top
        choose(nameOf(radio))
        scrollBy(0, radio.parentElement.getBoundingClientRect().top - before)
        try {
          localStorage.setItem(remembered, nameOf(radio))
        } catch {
          // As above.
        }
      })
    addEventListener('hashchange', openTarget)
    openTarget()
  }

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
