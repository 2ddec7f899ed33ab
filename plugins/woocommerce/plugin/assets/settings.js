/** The button "Test the connection" of the settings page: sends the fields as they are, and shows the answer line by line. */
;(() => {
  const { address, nonce, action, running, failed } = window.sanadSettings
  const button = document.getElementById('sanad-test')
  const result = document.getElementById('sanad-test-result')

  const show = (lines) => {
    result.replaceChildren(
      ...lines.map(({ good, text }) => {
        const line = document.createElement('p')
        line.textContent = `${good ? '✓' : '✗'} ${text}`
        line.style.color = good ? '#1a6b2b' : '#b32d2e'
        return line
      }),
    )
  }

  button.addEventListener('click', async () => {
    const body = new URLSearchParams({ action, nonce })
    for (const name of ['url', 'client_id', 'client_secret', 'webhook_secret'])
      body.set(name, document.getElementById(`woocommerce_sanad_${name}`).value)
    button.disabled = true
    result.textContent = running
    try {
      const answer = await fetch(address, { method: 'POST', body, credentials: 'same-origin' })
      const { success, data } = await answer.json()
      show(success ? data : [{ good: false, text: failed }])
    } catch {
      show([{ good: false, text: failed }])
    }
    button.disabled = false
  })
})()
