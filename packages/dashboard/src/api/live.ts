/**
 * The live stream: hints of what changed, which make the questions that show it be asked again. Hints that come in a
 * burst are answered together. The browser reconnects by itself and says where it was; on a reset everything is asked
 * anew.
 */
import type { useQueryClient } from '@tanstack/react-query'
import { type Kind, refresh } from './ask.ts'
import { addressOf } from './call.ts'

const gather_ms = 250

export const listen = (client: ReturnType<typeof useQueryClient>): (() => void) => {
  const heard = new Set<Kind>()
  let waiting: ReturnType<typeof setTimeout> | undefined
  const source = new EventSource(addressOf('openStream'))
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
