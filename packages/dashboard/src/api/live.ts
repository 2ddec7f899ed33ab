/**
 * The live stream: hints of what changed, which make the questions that show it be asked again. Hints that come in a
 * burst are answered together. It is opened when the screen stands, and told first what came since the page was made. The
 * browser reconnects by itself and says where it was; on a reset everything is asked anew.
 */
import type { useQueryClient } from '@tanstack/react-query'
import { type Kind, refresh } from './ask.ts'
import { addressOf } from './call.ts'
import { takePlace } from './first-answers.ts'

type Client = ReturnType<typeof useQueryClient>

const gather_ms = 250
/** A stream takes one of the few connections that a screen's own files come over. */
const stands_ms = 500

export const listen = (client: Client): (() => void) => {
  let close = (): void => {}
  // Whoever comes from another account has nothing to go on from: what was shown there is gone.
  const after = takePlace()
  if (after === undefined) return open(client, after)
  const later = setTimeout(() => {
    close = open(client, after)
  }, stands_ms)
  return () => {
    clearTimeout(later)
    close()
  }
}

const open = (client: Client, after: string | undefined): (() => void) => {
  const heard = new Set<Kind>()
  let waiting: ReturnType<typeof setTimeout> | undefined
  const source = new EventSource(addressOf('openStream', { query: { after } }))
  const answer = (): void => {
    waiting = undefined
    const kinds = [...heard]
    heard.clear()
    void refresh(client, kinds)
  }
  source.addEventListener('message', ({ data }) => {
    const hint = JSON.parse(data as string) as { kind: Kind }
    heard.add(hint.kind)
    waiting ??= setTimeout(answer, gather_ms)
  })
  source.addEventListener('reset', () => void client.invalidateQueries())
  // A stream that may not be opened again: the session or the membership is over, and the door must know.
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) void client.invalidateQueries({ queryKey: ['showMe'] })
  })
  return () => {
    clearTimeout(waiting)
    source.close()
  }
}
